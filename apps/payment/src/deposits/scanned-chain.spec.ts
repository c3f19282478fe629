import { describe, expect, it } from '@jest/globals';
import type { Hash } from 'viem';
import { confirmedHeight, linked } from './scanned-chain.js';
import type { ScannedBlock } from './scanned-chain.js';

const hash = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`;
const block = (number: number, parent = number - 1): ScannedBlock => ({
  number: BigInt(number),
  hash: hash(number),
  parentHash: hash(parent),
  timestamp: new Date(number * 1000),
  transfers: [],
});

describe('linked', () => {
  it('returns the blocks up to the first gap in parent hashes', () => {
    expect(linked(block(4), [block(5), block(6)])).toHaveLength(2);
    expect(linked(block(4), [block(5), block(6, 99), block(7)])).toHaveLength(1);
    expect(linked(block(4), [block(5, 99)])).toEqual([]);
  });
});

describe('the confirmed height', () => {
  it.each<[bigint, bigint, number, bigint]>([
    [10n, 10n, 1, 10n],
    [10n, 10n, 2, 9n],
    [10n, 14n, 2, 10n],
    [10n, 10n, 12, -1n],
  ])('with %p scanned, head %p and %p confirmations is %p', (scanned, head, needed, expected) => {
    expect(confirmedHeight(scanned, head, needed)).toBe(expected);
  });
});
