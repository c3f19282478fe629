export const PAYMENT_METHODS = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'ACH',
  'FIAT_BALANCE',
  'TOKEN_BALANCE',
  'APPLE_PAY',
  'PAYPAL',
  'VENMO',
  'REVOLUT',
  'GOOGLE_PAY',
  'SEPA',
  'FASTER_PAYMENTS',
  'PIX',
  'SPEI',
  'UPI',
  'WIRE',
  'SWIFT',
] as const;

/** Method by which a user pays an onramp. `SWIFT` is enabled per key by the operator. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Methods that are offered only to keys for which an operator enabled them. */
export const OPT_IN_METHODS = ['SWIFT'] as const satisfies readonly PaymentMethod[];

export type OptInMethod = (typeof OPT_IN_METHODS)[number];
