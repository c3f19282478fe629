import { describe, expect, it } from '@jest/globals';
import { DESTINATION, OWNER } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteRequest, aQuoteState, ORG_ID } from '../testing/a-quote.fixture.js';
import type { Confirmation } from './payment-terms.js';
import { linkedCustomer, ownerSigningChain } from './verification-request.js';

const aConfirmation = (overrides: Partial<Confirmation> = {}): Confirmation => ({
  state: aQuoteState({ is_customer_vouched: true }),
  quote: aQuote(),
  plan: aPlan(),
  ownerAddress: OWNER,
  destinationAddress: DESTINATION,
  ownerChain: undefined,
  ownerChains: null,
  expirationMinutes: 10,
  clientRedirectUrl: undefined,
  clientRedirectAfter: undefined,
  ...overrides,
});

describe('ownerSigningChain', () => {
  it('is the given chain, else that of the deposit', () => {
    expect(ownerSigningChain(aConfirmation())).toBe('alphanet');
    expect(ownerSigningChain(aConfirmation({ ownerChain: 'betanet' }))).toBe('betanet');
  });

  it('is a chain on which the owner’s contract exists', () => {
    const ownerChains = ['betanet', 'gammanet'];
    expect(ownerSigningChain(aConfirmation({ ownerChains }))).toBe('betanet');
    const stated = aConfirmation({ ownerChains, ownerChain: 'gammanet' });
    expect(ownerSigningChain(stated)).toBe('gammanet');
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
