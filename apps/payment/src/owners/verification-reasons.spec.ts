import { describe, expect, it } from '@jest/globals';
import { outputValueUsd } from '../life-cycle/output-value.js';
import { aQuote, aQuoteState, WETH } from '../testing/a-quote.fixture.js';
import { verificationReasons } from './verification-reasons.js';

const THRESHOLDS = { ownerVerificationUsd: '300', withdrawalSimulationUsd: '1000000' };

const reasonsOf = (
  amount: string,
  { usdPerUnit = '1', simulate = false }: { usdPerUnit?: string; simulate?: boolean } = {},
) => {
  const quote = { ...aQuote(), output_amount: { asset: WETH, amount } };
  const value = outputValueUsd(quote, aQuoteState(), usdPerUnit);
  return value && verificationReasons(value, THRESHOLDS, simulate);
};

describe('verificationReasons', () => {
  it('begin at exactly the thresholds', () => {
    expect(reasonsOf('0.099999999999999999')).toEqual([]);
    expect(reasonsOf('0.1')).toEqual(['EVM_OWNER']);
    expect(reasonsOf('333.333333333333333333')).toEqual(['EVM_OWNER']);
    expect(reasonsOf('333.333333333333333334')).toEqual(['EVM_OWNER', 'EVM_WITHDRAWAL']);
  });

  it('include the withdrawal of any payment on request', () => {
    expect(reasonsOf('0.01', { simulate: true })).toEqual(['EVM_WITHDRAWAL']);
    expect(reasonsOf('0.1', { simulate: true })).toEqual(['EVM_OWNER', 'EVM_WITHDRAWAL']);
  });

  it('are decided in dollars for every price currency', () => {
    expect(reasonsOf('0.09', { usdPerUnit: '1.2' })).toEqual(['EVM_OWNER']);
    expect(reasonsOf('0.1', { usdPerUnit: '0.99' })).toEqual([]);
  });

  it('cannot be decided without a price', () => {
    const state = aQuoteState({ current_prices: {} });
    expect(outputValueUsd(aQuote(), state, '1')).toBeUndefined();
  });
});
