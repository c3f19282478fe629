import type { FaucetChain } from '../client/faucet-chain.js';
import { amountBetween } from './order-requests.js';
import type { TestPayment } from './test-payment.js';
import type { RoundContext } from './round-context.js';
import { endsCompleteOrUndelivered, fund, order } from './steps.js';

/** Input on one chain and output on the other; the bridge carries USDC. */
const CROSSINGS = [
  { give: 'USDC', get: 'USDC', low: 8, high: 90 },
  { give: 'USDC', get: 'WETH', low: 8, high: 90 },
  { give: 'USDT', get: 'ETH', low: 8, high: 90 },
  { give: 'WETH', get: 'USDT', low: 0.004, high: 0.03 },
  { give: 'ETH', get: 'USDC', low: 0.004, high: 0.03 },
] as const;

export async function runCrossing(payment: TestPayment, { chains }: RoundContext): Promise<void> {
  const { give, get, low, high } = payment.random.pick(CROSSINGS);
  await order(payment, {
    input: { asset: payment.chain.token(give), amount: amountBetween(payment, low, high) },
    output: otherThan(payment.chain, chains).token(get),
  });
  await fund(payment);
  await endsCompleteOrUndelivered(payment);
}

function otherThan(chain: FaucetChain, chains: readonly FaucetChain[]): FaucetChain {
  const other = chains.find((each) => each !== chain);
  if (!other) throw new Error('the stack has no other chain');
  return other;
}
