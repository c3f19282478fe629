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

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
