import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { isDescribedAs, priceOfRound } from './feed-round.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const now = new Date('2026-01-01T00:00:00Z');
const secondsAgo = (seconds: number): bigint => BigInt(now.getTime() / 1000 - seconds);
const price = (heartbeatSeconds: number, answer: bigint, updatedAt: bigint): string | null => {
  const found = priceOfRound({ answer, updatedAt }, { decimals: 8, heartbeatSeconds, now });
  return found && formatDecimal(found);
};

describe('priceOfRound', () => {
  it('applies the feed’s decimals', () => {
    expect(price(HOUR, 312_345_678_900n, secondsAgo(10))).toBe('3123.456789');
  });

  it.each([
    ['is zero', 0n, secondsAgo(10)],
    ['is negative', -1n, secondsAgo(10)],
    ['belongs to an unfinished round', 1n, 0n],
    ['is older than the heartbeat', 1n, secondsAgo(4_000)],
  ])('has no price when the answer %s', (_, answer, updatedAt) => {
    expect(price(HOUR, answer, updatedAt)).toBeNull();
  });

  it('applies each feed’s heartbeat with a tolerance for mining', () => {
    expect(price(DAY, 100_000_000n, secondsAgo(4_000))).toBe('1');
    expect(price(HOUR, 100_000_000n, secondsAgo(HOUR + 300))).toBe('1');
    expect(price(60, 100_000_000n, secondsAgo(115))).toBe('1');
    expect(price(60, 100_000_000n, secondsAgo(125))).toBeNull();
  });

  it('accepts an update from a chain with a clock that is ahead', () => {
    expect(price(HOUR, 100_000_000n, secondsAgo(-500))).toBe('1');
  });
});

describe('isDescribedAs', () => {
  it('matches a feed by its description', () => {
    const pair = 'eth/usd';
    expect(isDescribedAs('ETH / USD', { pair })).toBe(true);
    expect(isDescribedAs('ETH/USD', { pair })).toBe(true);
    expect(isDescribedAs('BTC / USD', { pair })).toBe(false);
    expect(isDescribedAs('ETH / BTC', { pair })).toBe(false);
  });

  it('matches a renamed currency by old and new name', () => {
    const feed = { pair: 'pol/usd', description: 'MATIC / USD' };
    expect(isDescribedAs('MATIC / USD', feed)).toBe(true);
    expect(isDescribedAs('POL / USD', feed)).toBe(true);
    expect(isDescribedAs('ETH / USD', feed)).toBe(false);
  });
});
