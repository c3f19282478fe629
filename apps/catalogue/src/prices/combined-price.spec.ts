import { formatDecimal, parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combinedPrice, type CombinedPrice } from './combined-price.js';
import type { SourceQuote } from './price-source.js';

const asOf = new Date('2026-01-01T00:00:00Z');
const quote = (usd: string, index: number, confirmedAt = asOf): SourceQuote => ({
  asset: 'x',
  usd: parseDecimal(usd),
  source: `${index}`,
  asOf,
  confirmedAt: confirmedAt,
});
const combine = (...prices: string[]): CombinedPrice =>
  combinedPrice(
    prices.map((usd, index) => quote(usd, index)),
    { toleranceBps: 300 },
  );
const price = (...prices: string[]): string | null => {
  const { usd } = combine(...prices);
  return usd && formatDecimal(usd);
};

describe('combinedPrice', () => {
  it.each([
    [['2500.25'], '2500.25'],
    [['2510', '2500'], '2505'],
    [['2510', '2500', '2530'], '2510'],
    [['2510', '2500', '2530', '2512'], '2511'],
  ])('takes the median of %j: %s', (prices, expected) => {
    expect(price(...prices)).toBe(expected);
  });

  it('rejects an outlier and takes the median of the others', () => {
    const { usd, used, refused } = combine('2500', '25', '2510');
    expect(usd && formatDecimal(usd)).toBe('2505');
    expect(used.map(({ source }) => source)).toEqual(['0', '2']);
    expect(refused.map(({ source }) => source)).toEqual(['1']);
  });

  it('has no price when two, three or four sources all disagree', () => {
    expect(price('2500', '3000')).toBeNull();
    expect(price('3000', '3170')).toBeNull();
    expect(price('3000', '3090')).toBe('3045');
    expect(price('2500', '3000', '3600')).toBeNull();
    expect(price('2500', '2501', '3600', '3601')).toBeNull();
  });

  it('accepts differences up to the tolerance', () => {
    expect(price('97', '100', '103')).toBe('100');
    expect(combine('96.99', '100', '103').refused).toHaveLength(1);
  });

  it('has no price when only one of three sources remains', () => {
    const alone = [quote('2500', 0)];
    expect(combinedPrice(alone, { toleranceBps: 300, voters: 3 }).usd).toBeNull();
    expect(combinedPrice(alone, { toleranceBps: 300, voters: 1 }).usd).not.toBeNull();
    const both = [...alone, quote('2510', 1)];
    expect(combinedPrice(both, { toleranceBps: 300, voters: 3 }).usd).not.toBeNull();
  });

  it('uses an older quote only when there is no current one', () => {
    const minutesAgo = new Date(asOf.getTime() - 301_000);
    const late = quote('3170', 0, minutesAgo);
    const { usd, used } = combinedPrice([late, quote('3000', 1)], { toleranceBps: 300, voters: 2 });
    expect(usd && formatDecimal(usd)).toBe('3000');
    expect(used).toHaveLength(1);
    expect(combinedPrice([late], { toleranceBps: 300 }).used).toEqual([late]);
  });

  it('has no price without quotes or when it rounds to zero', () => {
    expect(price()).toBeNull();
    expect(price('0.0000000000000000001')).toBeNull();
  });

  it('stays between the honest quotes when any one of three is wrong', () => {
    const cents = fc.integer({ min: 1, max: 10 ** 9 });
    const text = (value: number): string => (value / 100).toFixed(2);
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 10 ** 9 }), cents, (honest, lie) => {
        const second = honest + Math.floor(honest / 1_000);
        const found = price(text(honest), text(second), text(lie));
        expect(found).not.toBeNull();
        expect(Number(found)).toBeGreaterThanOrEqual(Number(text(honest)));
        expect(Number(found)).toBeLessThanOrEqual(Number(text(second)));
        expect(price(text(lie), text(second), text(honest))).toBe(found);
      }),
    );
  });
});
