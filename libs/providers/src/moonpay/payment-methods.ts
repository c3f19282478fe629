import type { PaymentMethod } from '@bascule/contracts';

interface MoonPayMethod {
  wire: string;
  /** Lower-case fiat codes; all when absent. */
  fiats?: readonly string[];
  /**
   * Offered only where the operator names the method: not every account has it, or the customer sends the money himself,
   * and a payment does not wait for it longer than its funding may take.
   */
  isOptional?: true;
  /** Seconds from payment to delivery, as we expect them: MoonPay does not tell. */
  latencySeconds: number;
}

const MINUTES = 60;
const DAYS = 86_400;

const METHODS: Readonly<Partial<Record<PaymentMethod, MoonPayMethod>>> = {
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
};

export const moonPayMethod = (method: string): MoonPayMethod | undefined =>
  (METHODS as Readonly<Record<string, MoonPayMethod>>)[method];

/** Methods offered unless the operator names others. */
export const USUAL_METHODS: readonly PaymentMethod[] = (
  Object.keys(METHODS) as PaymentMethod[]
).filter((method) => METHODS[method]?.isOptional !== true);

export const sellsFor = (method: MoonPayMethod, fiat: string): boolean =>
  method.fiats === undefined || method.fiats.includes(fiat);
