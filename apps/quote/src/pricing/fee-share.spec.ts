import { compareDecimals, mulDecimals, parseAmount, parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PriceBook } from '../routes/price-book.js';
import { given, of, onramp, transfer, transferLeg, USDC } from '../testing/quoted-route.fixture.js';
import { feeShareIssue, leastInputFor } from './fee-share.js';

const prices = PriceBook.in('usd', new Map([[USDC, parseDecimal('1')]]));
/** Transfer of which gas leaves `output`. */
const issueOf = (input: bigint, output: bigint, maxFeeBps = 5_000) => {
  const leg = {
    ...transferLeg,
    ...{ input: of(USDC, input), networkFee: input - output, output: of(USDC, output) },
  };
  const route = { ...transfer, input: leg.input, legs: [leg] };
  return feeShareIssue(route, { input: given(USDC, input), prices, maxFeeBps });
};

describe('feeShareIssue', () => {
  it('accepts fees up to the share, the share included', () => {
    expect(issueOf(10_000_000n, 5_000_000n)).toBeNull();
    expect(issueOf(10_000_000n, 10_000_000n)).toBeNull();
  });

  it('reports larger fees with the input of which they are less', () => {
    expect(issueOf(1_000_000n, 200_000n)).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '1',
      limits: { min: '1.76' },
      source: 'alphanet',
      message: 'Given amount is 1 USDC, of which fees take 80 %; at most 50 % is accepted.',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('names the provider where it takes most', () => {
    const leg = { ...transferLeg, input: of(USDC, 2_000_000n), networkFee: 1n };
    const route = { ...onramp, legs: [{ ...leg, output: of(USDC, 1_999_999n) }] };
    const input = { ...onramp.input, symbol: 'USD' };
    expect(feeShareIssue(route, { input, prices, maxFeeBps: 5_000 })).toMatchObject({
      source: 'swiftramp',
      asset: 'usd',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('accepts every share where all is accepted', () => {
    expect(issueOf(1_000_000n, 1n, 10_000)).toBeNull();
  });

  it('names an input that works for the same fees', () => {
    const amounts = fc.tuple(fc.bigInt(2n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n));
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 9_999 }), ([input, output], maxFeeBps) => {
        fc.pre(output < input);
        const issue = issueOf(input, output, maxFeeBps);
        fc.pre(issue !== null);
        const least = parseAmount(issue?.limits.min ?? '', 6);
        expect(issueOf(least, least - (input - output), maxFeeBps)).toBeNull();
      }),
    );
  });
});

describe('leastInputFor', () => {
  it('allows for a tenth more', () => {
    const least = leastInputFor(parseDecimal('2'), {
      input: given(USDC, 1n),
      prices,
      maxFeeBps: 1_000,
    });
    expect(least).toBe(22_000_000n);
    expect(compareDecimals(mulDecimals('22', '0.1'), '2.2')).toBe(0);
  });
});
