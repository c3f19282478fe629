import { describe, expect, it } from '@jest/globals';
import type { Hash } from 'viem';
import { confirmedHeight, isSameBlock, linked } from './scanned-chain.js';
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

  it('returns the blocks up to the first with an earlier time than its parent', () => {
    const at = (number: number, seconds: number) => ({
      ...block(number),
      timestamp: new Date(seconds * 1000),
    });
    expect(linked(at(4, 10), [at(5, 10), at(6, 9), at(7, 11)])).toEqual([at(5, 10)]);
    expect(linked(at(4, 10), [at(5, 9)])).toEqual([]);
  });
});

describe('a block of the chain', () => {
  it('is the same one only with the same time', () => {
    expect(isSameBlock(block(4), block(4))).toBe(true);
    expect(isSameBlock(block(4), { ...block(4), timestamp: new Date(5000) })).toBe(false);
    expect(isSameBlock(block(4), { ...block(4), hash: hash(5) })).toBe(false);
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
