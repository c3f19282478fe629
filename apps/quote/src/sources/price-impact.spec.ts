import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from '../routes/price-book.js';
import { priceImpactIssue } from './price-impact.js';

const USDC = 'alphanet:0x1';
const WETH = 'alphanet:0x2';
const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, parseDecimal('1')],
    [WETH, parseDecimal('3000')],
  ]),
);
/** Of 3000 dollars, all of which the venue gets. */
const of = (outputUnits: bigint, maxBps = 1_000, output = WETH) => {
  const input = { asset: USDC, decimals: 6, units: 3_000_000_000n };
  return priceImpactIssue({
    input,
    converted: input,
    output: { asset: output, decimals: 18, units: outputUnits },
    venue: 'uniswap_v3',
    maxBps,
    prices,
  });
};
const ETHER = 10n ** 18n;

describe('priceImpactIssue', () => {
  it('has nothing against what stays within the bound, the bound included', () => {
    for (const tenths of [9n, 10n, 11n]) expect(of((ETHER * tenths) / 10n)).toBeNull();
  });

  it('names an output that is worth too little', () => {
    expect(of((ETHER * 9n) / 10n - 1n)).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '3000',
      limits: { min: null, max: null },
      source: 'uniswap_v3',
      message: 'uniswap_v3 gives over 10 % less than the amount is worth at current prices.',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('names an output that is worth too much', () => {
    expect(of((ETHER * 11n) / 10n + 1n)).toMatchObject({ reason: 'UNEXPECTEDLY_HIGH' });
  });

  it('goes by the configured bound', () => {
    expect(of((ETHER * 98n) / 100n, 100)).toMatchObject({ reason: 'UNEXPECTEDLY_LOW' });
    expect(of(ETHER / 100n, 20_000)).toBeNull();
  });

  it('guesses no price', () => {
    expect(() => of(ETHER, 1_000, 'alphanet:0x3')).toThrow(MissingPriceError);
  });
});
