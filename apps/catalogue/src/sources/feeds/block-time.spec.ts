import { describe, expect, it } from '@jest/globals';
import { blockTime } from './block-time.js';

const now = new Date('2026-01-01T00:00:00Z');
const secondsAgo = (seconds: number): bigint => BigInt(now.getTime() / 1000 - seconds);

describe('blockTime', () => {
  it.each([
    ['a recent block', secondsAgo(12), new Date(now.getTime() - 12_000)],
    ['a block ahead of the local clock', secondsAgo(-100), now],
    ['a node that lags by minutes', secondsAgo(301), null],
    ['no timestamp', undefined, null],
  ])('handles %s', (_, timestamp, expected) => {
    expect(blockTime(timestamp, now)).toEqual(expected);
  });
});
