import { describe, expect, it } from '@jest/globals';
import { largerScan, LARGEST_SCAN, REWIND, scanRange, smallerScan } from './scan-range.js';

describe('the blocks to read next', () => {
  it.each([
    ['follow the last block read', { read: 10n, final: 15n, isSame: true }, { from: 11n, to: 15n }],
    ['are none when all were read already', { read: 15n, final: 15n, isSame: true }, null],
    ['are none while the node is behind', { read: 15n, final: 12n, isSame: false }, null],
    ['are limited per scan', { read: 0n, final: 5_000n, isSame: true }, { from: 1n, to: 1_000n }],
    [
      'begin earlier after a reorg',
      { read: 1_000n, final: 1_003n, isSame: false },
      { from: 1_000n - REWIND, to: 1_003n },
    ],
    [
      'begin at the first block of a short chain',
      { read: 100n, final: 101n, isSame: false },
      { from: 0n, to: 101n },
    ],
    [
      'begin at the first block of a restarted chain',
      { read: 10_000n, final: 20n, isSame: false },
      { from: 0n, to: 20n },
    ],
  ])('%s', (_, facts, range) => {
    expect(scanRange({ ...facts, most: LARGEST_SCAN })).toEqual(range);
  });

  it('are one while blocks are read by their receipts', () => {
    expect([largerScan(1n, false), largerScan(LARGEST_SCAN, false)]).toEqual([1n, 1n]);
  });

  it('are fewer down to one while they cannot be read, and as many as before once they can', () => {
    const sizes = (next: (blocks: bigint) => bigint, from: bigint) => {
      const all = [from];
      for (let tries = 0; tries < 12; tries += 1) all.push(next(all.at(-1) ?? from));
      return [...new Set(all)];
    };
    expect(sizes(smallerScan, LARGEST_SCAN)).toEqual([1_000n, 250n, 62n, 15n, 3n, 1n]);
    expect(sizes((blocks) => largerScan(blocks, true), 1n)).toEqual([
      1n,
      2n,
      4n,
      8n,
      16n,
      32n,
      64n,
      128n,
      256n,
      512n,
      1_000n,
    ]);
    expect(scanRange({ read: 10n, final: 15n, isSame: true, most: 1n })).toEqual({
      from: 11n,
      to: 11n,
    });
  });
});
