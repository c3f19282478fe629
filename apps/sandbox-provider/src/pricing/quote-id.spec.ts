import { describe, expect, it } from '@jest/globals';
import { openQuote, sealQuote } from './quote-id.js';

const quote = {
  fiat: 'USD',
  fiat_amount: '100',
  payment_method: 'credit_card',
  network: 'alphanet',
  contract: '0x00000000000000000000000000000000000000c1',
  crypto_amount: '95500000',
  fee_total: '4.5',
  expires: 1_795_000_000_000,
};

describe('the id of a quote', () => {
  it('contains the quote', () => {
    expect(openQuote(sealQuote(quote, 'key'), 'key')).toEqual(quote);
  });

  it('is refused when altered or issued by another provider', () => {
    const id = sealQuote(quote, 'key');
    expect(openQuote(id, 'another key')).toBeNull();
    expect(openQuote(`A${id}`, 'key')).toBeNull();
    expect(openQuote(id.slice(0, -2), 'key')).toBeNull();
    expect(openQuote('', 'key')).toBeNull();
  });
});
