import { describe, expect, it } from '@jest/globals';
import { REWIND, scanRange } from './scan-range.js';

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
    expect(scanRange(facts)).toEqual(range);
  });
});
