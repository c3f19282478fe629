import type { PaymentMethod } from '@bascule/contracts';

/** Payment method names of the sandbox; methods without one are unsupported. */
const WIRE_NAMES = {
  CREDIT_CARD: 'credit_card',
  DEBIT_CARD: 'debit_card',
  APPLE_PAY: 'apple_pay',
  GOOGLE_PAY: 'google_pay',
  ACH: 'ach',
  SEPA: 'sepa',
  SWIFT: 'swift',
} as const satisfies Partial<Record<PaymentMethod, string>>;

const METHODS = new Map<string, PaymentMethod>(
  (Object.keys(WIRE_NAMES) as (keyof typeof WIRE_NAMES)[]).map((method) => [
    WIRE_NAMES[method],
    method,
  ]),
);

export const wireMethod = (method: PaymentMethod): string | undefined =>
  (WIRE_NAMES as Partial<Record<PaymentMethod, string>>)[method];

export const methodOfWire = (name: string): PaymentMethod | undefined => METHODS.get(name);
