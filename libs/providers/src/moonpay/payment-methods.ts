import { MethodTable, type ProviderMethod } from '../wire/method-table.js';

interface MoonPayMethod extends ProviderMethod {
  wire: string;
}

const MINUTES = 60;
const DAYS = 86_400;

/**
 * An optional method is not in every account, or the customer sends the money himself, and a payment does not wait for it
 * longer than its funding may take.
 */
export const METHODS = new MethodTable<MoonPayMethod>('MoonPay', {
  CREDIT_CARD: { wire: 'credit_debit_card', latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { wire: 'credit_debit_card', latencySeconds: 10 * MINUTES },
  APPLE_PAY: { wire: 'apple_pay', latencySeconds: 10 * MINUTES },
  GOOGLE_PAY: { wire: 'google_pay', latencySeconds: 10 * MINUTES },
  ACH: {
    wire: 'ach_bank_transfer',
    fiats: ['usd'],
    isOptional: true,
    latencySeconds: 4 * DAYS,
  },
  SEPA: {
    wire: 'sepa_bank_transfer',
    fiats: ['eur'],
    isOptional: true,
    latencySeconds: 2 * DAYS,
  },
  FASTER_PAYMENTS: {
    wire: 'gbp_bank_transfer',
    fiats: ['gbp'],
    isOptional: true,
    latencySeconds: 60 * MINUTES,
  },
  PIX: { wire: 'pix_instant_payment', fiats: ['brl'], latencySeconds: 10 * MINUTES },
  PAYPAL: { wire: 'paypal', isOptional: true, latencySeconds: 10 * MINUTES },
  VENMO: { wire: 'venmo', fiats: ['usd'], isOptional: true, latencySeconds: 10 * MINUTES },
  REVOLUT: { wire: 'revolut_pay', isOptional: true, latencySeconds: 10 * MINUTES },
  FIAT_BALANCE: {
    wire: 'moonpay_balance',
    fiats: ['usd', 'eur', 'gbp'],
    isOptional: true,
    latencySeconds: 10 * MINUTES,
  },
});
