import type { KeyMode, PaymentPlan, TestOutcome } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOnrampPlan, aPlan, aQuoteRequest } from '../testing/a-quote.fixture.js';
import { customerId } from './customer-id.js';

const OURS = { name: 'swiftramp', adapter: 'sandbox', isSandbox: true };

interface Change {
  mode?: KeyMode;
  outcome?: TestOutcome;
  provider?: typeof OURS;
  plan?: PaymentPlan;
}

const idOf = (change: Change = {}) => {
  const { mode = 'test', outcome = 'PAYS_LATE', provider = OURS, plan = anOnrampPlan() } = change;
  const quoteRequest = { ...aQuoteRequest(), test_outcome: outcome };
  return customerId({ mode, plan, quoteRequest }, [provider]);
};

describe('the customer that a provider sees', () => {
  it('is the late one for a test payment with that outcome at our sandbox provider', () => {
    expect(idOf()).toBe('sandbox-late');
  });

  it.each<[string, Change]>([
    ['of a live payment', { mode: 'live' }],
    ['of another outcome', { outcome: 'EXPIRES' }],
    ["at another party's test environment", { provider: { ...OURS, adapter: 'other' } }],
    ['at a provider that takes real money', { provider: { ...OURS, isSandbox: false } }],
    ['at another provider', { provider: { ...OURS, name: 'thriftramp' } }],
    ['of a payment in tokens', { plan: aPlan() }],
  ])("is the payment's own %s", (_what, change) => {
    expect(idOf(change)).toBe('customer-1');
  });
});
