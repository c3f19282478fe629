import type { PaymentMethod } from '@bascule/contracts';

export interface CoinbaseMethod {
  /** Name in `buy/config`, `buy/options` and `buy/quote`. */
  v1: string;
  /** Name in a session. */
  v2: string;
  /** Not offered in the USA. */
  isOutsideUsa?: true;
  /** Offered only where the operator names the method. */
  isOptional?: true;
  /** Seconds from payment to delivery, as we expect them: Coinbase does not tell. */
  latencySeconds: number;
}

const MINUTES = 60;
const DAYS = 86_400;

const METHODS: Readonly<Partial<Record<PaymentMethod, CoinbaseMethod>>> = {
  CREDIT_CARD: { v1: 'CARD', v2: 'CARD', isOutsideUsa: true, latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { v1: 'CARD', v2: 'CARD', latencySeconds: 10 * MINUTES },
  ACH: { v1: 'ACH_BANK_ACCOUNT', v2: 'ACH', latencySeconds: 4 * DAYS },
  APPLE_PAY: { v1: 'APPLE_PAY', v2: 'APPLE_PAY', latencySeconds: 10 * MINUTES },
  FIAT_BALANCE: { v1: 'FIAT_WALLET', v2: 'FIAT_WALLET', latencySeconds: 10 * MINUTES },
  TOKEN_BALANCE: { v1: 'CRYPTO_ACCOUNT', v2: 'CRYPTO_WALLET', latencySeconds: 10 * MINUTES },
  PAYPAL: { v1: 'PAYPAL', v2: 'PAYPAL', isOptional: true, latencySeconds: 10 * MINUTES },
};

export const coinbaseMethod = (method: string): CoinbaseMethod | undefined =>
  (METHODS as Readonly<Record<string, CoinbaseMethod>>)[method];

/** Methods offered unless the operator names others. */
export const USUAL_METHODS: readonly PaymentMethod[] = (
  Object.keys(METHODS) as PaymentMethod[]
).filter((method) => METHODS[method]?.isOptional !== true);
