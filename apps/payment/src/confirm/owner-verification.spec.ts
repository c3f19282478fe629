import { describe, expect, it } from '@jest/globals';
import { aQuote, aQuoteState, WETH } from '../testing/a-quote.fixture.js';
import { needsOwnerVerification, outputValueUsd } from './owner-account.js';

const needs = (amount: string, usdPerUnit = '1'): boolean | undefined => {
  const quote = { ...aQuote(), output_amount: { asset: WETH, amount } };
  const value = outputValueUsd(quote, aQuoteState(), usdPerUnit);
  return value && needsOwnerVerification(value, '300');
};

describe('needsOwnerVerification', () => {
  it('begins at exactly the threshold', () => {
    expect(needs('0.1')).toBe(true);
    expect(needs('0.099999999999999999')).toBe(false);
  });

  it('is decided in dollars for every price currency', () => {
    expect(needs('0.09', '1.2')).toBe(true);
    expect(needs('0.1', '0.99')).toBe(false);
  });

  it('cannot be decided without a price', () => {
    const state = aQuoteState({ current_prices: {} });
    expect(outputValueUsd(aQuote(), state, '1')).toBeUndefined();
  });
});
