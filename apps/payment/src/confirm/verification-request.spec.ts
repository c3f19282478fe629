import { describe, expect, it } from '@jest/globals';
import { aBridgedPlan } from '../testing/a-bridged-payment.fixture.js';
import { DESTINATION, OWNER } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteRequest, aQuoteState, ORG_ID } from '../testing/a-quote.fixture.js';
import type { Confirmation } from './payment-terms.js';
import { linkedCustomer, ownerSigningChains } from './verification-request.js';

const aConfirmation = (overrides: Partial<Confirmation> = {}): Confirmation => ({
  state: aQuoteState({ is_customer_vouched: true }),
  quote: aQuote(),
  plan: aPlan(),
  ownerAddress: OWNER,
  destinationAddress: DESTINATION,
  ownerChain: undefined,
  ownerChains: null,
  isUnsafeOwnerAllowed: false,
  expirationMinutes: 10,
  clientRedirectUrl: undefined,
  clientRedirectAfter: undefined,
  ...overrides,
});

describe('ownerSigningChains', () => {
  it('begin with the given chain, else that of the deposit', () => {
    expect(ownerSigningChains(aConfirmation())).toEqual({ signing: 'alphanet', others: [] });
    const stated = aConfirmation({ ownerChain: 'betanet' });
    expect(ownerSigningChains(stated)).toEqual({ signing: 'betanet', others: ['alphanet'] });
  });

  it('are those of every leg for an account that is not deployed yet', () => {
    const across = aConfirmation({ plan: aBridgedPlan() });
    expect(ownerSigningChains(across)).toEqual({ signing: 'alphanet', others: ['betanet'] });
    const unsafe = { ...across, isUnsafeOwnerAllowed: true };
    expect(ownerSigningChains(unsafe)).toEqual({ signing: 'alphanet', others: [] });
  });

  it('are one chain on which the owner’s contract exists', () => {
    const ownerChains = ['betanet', 'gammanet'];
    const deployed = aConfirmation({ ownerChains, plan: aBridgedPlan() });
    expect(ownerSigningChains(deployed)).toEqual({ signing: 'betanet', others: [] });
    const stated = { ...deployed, ownerChain: 'gammanet' };
    expect(ownerSigningChains(stated)).toEqual({ signing: 'gammanet', others: [] });
  });
});

describe('linkedCustomer', () => {
  it('is the customer of the quote, vouched for by secret keys throughout', () => {
    const linked = { orgId: ORG_ID, customerId: 'customer-1' };
    expect(linkedCustomer(aConfirmation(), true)).toEqual(linked);
    expect(linkedCustomer(aConfirmation(), false)).toBeNull();
    for (const is_customer_vouched of [false, undefined]) {
      const state = { ...aQuoteState(), is_customer_vouched };
      expect(linkedCustomer(aConfirmation({ state }), true)).toBeNull();
    }
  });

  it('is nobody without a customer id', () => {
    const { customer_id: _, ...quote_request } = aQuoteRequest();
    const state = aQuoteState({ is_customer_vouched: true, quote_request });
    expect(linkedCustomer(aConfirmation({ state }), true)).toBeNull();
  });
});
