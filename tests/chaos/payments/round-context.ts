import type { FaucetChain } from '../client/faucet-chain.js';
import type { TestPayment } from './test-payment.js';
import type { PriceRise } from './price-rise.js';

/** State shared by the payments of one round. */
export interface RoundContext {
  chains: readonly FaucetChain[];
  prices: PriceRise;
  /** Adds a payment that follows from another one. */
  add(payment: TestPayment): void;
}
