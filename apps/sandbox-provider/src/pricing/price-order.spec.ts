import { describe, expect, it } from '@jest/globals';
import { parseDecimal } from '@bascule/amounts';
import { methodOffer } from '../offers/offer.js';
import { swiftramp } from '../offers/swiftramp.js';
import { thriftramp } from '../offers/thriftramp.js';
import { priceOrder } from './price-order.js';
import type { OrderTerms } from './price-order.js';

const market = { tokenUsd: parseDecimal('1'), networkFeeUsd: parseDecimal('0.041') };

function terms(
  offer: typeof swiftramp,
  fiatCode: string,
  id: string,
  fiatAmount: string,
): OrderTerms {
  const found = methodOffer(offer, fiatCode, id);
  if (found?.method === undefined) throw new Error(`no offer for ${id}`);
  return {
    fiat: found.fiat,
    method: found.method,
    spreadPercent: offer.spreadPercent,
    fiatAmount,
    tokenDecimals: 6,
  };
}

describe('the price of an order', () => {
  it('subtracts percentage, fixed and network fees and applies the market price with spread', () => {
    expect(priceOrder(terms(swiftramp, 'USD', 'credit_card', '100'), market)).toEqual({
      cryptoAmount: 95_084_577n,
      rate: '1.005',
      fees: { processing: '4.39', network: '0.05', total: '4.44' },
    });
  });

  it('uses the fiat of the payment', () => {
    const price = priceOrder(terms(thriftramp, 'EUR', 'sepa', '100'), market);
    expect(price?.fees).toEqual({ processing: '0.85', network: '0.04', total: '0.89' });
    expect(price?.cryptoAmount).toBeGreaterThan(114_000_000n);
    expect(price?.cryptoAmount).toBeLessThan(115_000_000n);
  });

  it('is better at the cheaper provider', () => {
    const swift = priceOrder(terms(swiftramp, 'USD', 'credit_card', '100'), market);
    const thrift = priceOrder(terms(thriftramp, 'USD', 'credit_card', '100'), market);
    expect(thrift?.cryptoAmount).toBeGreaterThan(swift?.cryptoAmount ?? 0n);
  });

  it('is null when fees exceed the amount', () => {
    const crowded = { ...market, networkFeeUsd: parseDecimal('200') };
    expect(priceOrder(terms(swiftramp, 'USD', 'credit_card', '100'), crowded)).toBeNull();
  });
});
