import type { Quote, TokenIdentifier } from '@bascule/contracts';
import type { TestPayment } from './test-payment.js';

export interface OrderRequest {
  input: { asset: string; amount: string };
  output: TokenIdentifier;
  expirationMinutes?: number;
  parentPaymentId?: string;
  choose?: (quotes: Quote[]) => Quote | undefined;
}

/** Input and output tokens, with amounts below the limit for unverified owners. */
const PAIRS = [
  { give: 'USDC', get: 'WETH', low: 8, high: 90 },
  { give: 'USDC', get: 'ETH', low: 8, high: 90 },
  { give: 'USDC', get: 'USDT', low: 8, high: 90 },
  { give: 'USDT', get: 'USDC', low: 8, high: 90 },
  { give: 'ETH', get: 'USDC', low: 0.004, high: 0.03 },
  { give: 'WETH', get: 'USDT', low: 0.004, high: 0.03 },
] as const;

export const amountBetween = ({ random }: TestPayment, low: number, high: number): string =>
  random.between(low, high).toFixed(5);

export function randomSwap(payment: TestPayment): OrderRequest {
  const { give, get, low, high } = payment.random.pick(PAIRS);
  const amount = amountBetween(payment, low, high);
  return {
    input: { asset: payment.chain.token(give), amount },
    output: payment.chain.token(get),
  };
}

export const randomUsdcSwap = (payment: TestPayment): OrderRequest => ({
  input: { asset: payment.chain.token('USDC'), amount: amountBetween(payment, 10, 60) },
  output: payment.chain.token('WETH'),
});
