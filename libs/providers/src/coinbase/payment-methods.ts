import { MethodTable, type ProviderMethod } from '../wire/method-table.js';

export interface CoinbaseMethod extends ProviderMethod {
  /** Name in `buy/config`, `buy/options` and `buy/quote`. */
  v1: string;
  /** Name in a session. */
  v2: string;
  /** Not offered in the USA. */
  isOutsideUsa?: true;
}

const MINUTES = 60;
const DAYS = 86_400;

export const METHODS = new MethodTable<CoinbaseMethod>('Coinbase', {
  CREDIT_CARD: { v1: 'CARD', v2: 'CARD', isOutsideUsa: true, latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { v1: 'CARD', v2: 'CARD', latencySeconds: 10 * MINUTES },
  ACH: { v1: 'ACH_BANK_ACCOUNT', v2: 'ACH', latencySeconds: 4 * DAYS },
  APPLE_PAY: { v1: 'APPLE_PAY', v2: 'APPLE_PAY', latencySeconds: 10 * MINUTES },
  FIAT_BALANCE: { v1: 'FIAT_WALLET', v2: 'FIAT_WALLET', latencySeconds: 10 * MINUTES },
  TOKEN_BALANCE: { v1: 'CRYPTO_ACCOUNT', v2: 'CRYPTO_WALLET', latencySeconds: 10 * MINUTES },
  PAYPAL: { v1: 'PAYPAL', v2: 'PAYPAL', isOptional: true, latencySeconds: 10 * MINUTES },
});
