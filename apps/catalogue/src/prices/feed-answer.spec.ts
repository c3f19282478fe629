import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { priceOfAnswer } from './feed-answer.js';

const now = new Date('2026-01-01T00:00:00Z');
const secondsAgo = (seconds: number): bigint => BigInt(now.getTime() / 1000 - seconds);
const price = (pair: string, answer: bigint, updatedAt: bigint): string | null => {
  const found = priceOfAnswer(pair, { answer, updatedAt }, 8, now);
  return found && formatDecimal(found);
};

describe('priceOfAnswer', () => {
  it('reads an answer with the feed’s decimals', () => {
    expect(price('eth/usd', 312_345_678_900n, secondsAgo(10))).toBe('3123.456789');
  });

  it.each([
    ['is zero', 0n, secondsAgo(10)],
    ['is negative', -1n, secondsAgo(10)],
    ['belongs to a round without an answer yet', 1n, 0n],
    ['is older than the heartbeat', 1n, secondsAgo(4_000)],
  ])('has no price when the answer %s', (_, answer, updatedAt) => {
    expect(price('eth/usd', answer, updatedAt)).toBeNull();
  });

  it('measures each feed by its own heartbeat', () => {
    expect(price('usdc/usd', 100_000_000n, secondsAgo(4_000))).toBe('1');
  });

  it('accepts an answer from a chain whose clock is ahead', () => {
    expect(price('eth/usd', 100_000_000n, secondsAgo(-500))).toBe('1');
  });
});
