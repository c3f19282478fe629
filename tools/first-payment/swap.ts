import { parseTokenIdentifier, type Payment } from '@bascule/contracts';
import type { Address } from 'viem';
import { depositInfo, quoteAndConfirm, reaches } from './payments.js';
import { newTestUserWith, type TestUser, type Stage } from './test-user.js';
import { verifyCompleted } from './verify-completed.js';

export interface Swap {
  title: string;
  give: { symbol: string; amount: string };
  get: string;
}

const SWAPS: readonly Swap[] = [
  { title: 'a token for another', give: { symbol: 'USDC', amount: '25' }, get: 'WETH' },
  { title: 'native currency in', give: { symbol: 'ETH', amount: '0.02' }, get: 'USDC' },
  { title: 'native currency out', give: { symbol: 'USDC', amount: '30' }, get: 'ETH' },
  { title: 'a plain transfer', give: { symbol: 'USDC', amount: '12.5' }, get: 'USDC' },
];

/** Returns the completed payments, verified against the chain. */
export async function runSwaps(stage: Stage): Promise<Payment[]> {
  const completed: Payment[] = [];
  for (const swap of SWAPS) completed.push(await runSwap(stage, swap));
  return completed;
}

/** Returns the completed payment, verified against the chain. */
export async function runSwap(stage: Stage, { title, give, get }: Swap): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  timeline.title(`swap: ${title} (${give.amount} ${give.symbol} to ${get} on ${chain.name})`);
  const input = chain.token(give.symbol);
  const user = await newTestUserWith(chain, input, give.amount);
  const { quote, payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: input, amount: give.amount },
    output: chain.token(get),
    owner: user.owner.address,
    destination: user.destination,
  });
  const { output_amount, fees } = quote;
  timeline.event(
    'quoted',
    `${output_amount.amount} ${get}, fees ${fees.total_fees} ${fees.currency_symbol}`,
  );
  timeline.event('confirmed', `payment ${payment.payment_id}`);
  timeline.holds(`its declaration makes the deposit address ${depositAddress}`);

  const hash = await fund(stage, user, payment);
  timeline.event('funded by the owner', hash);
  const completed = await finish(stage, payment.payment_id, get);
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  timeline.event('webhook', 'WORKFLOW_COMPLETED, signed over its raw body');
  return completed;
}

/** The owner sends exactly what is asked for. */
export async function fund(
  { chain }: Pick<Stage, 'chain'>,
  user: TestUser,
  payment: Payment,
): Promise<string> {
  const [deposit] = depositInfo(payment);
  if (!deposit) throw new Error('the payment takes no deposit');
  const units = await chain.units(deposit.deposit_token, deposit.deposit_amount);
  const to = deposit.deposit_address as Address;
  const receipt = await chain.transfer(user.owner, deposit.deposit_token, to, units);
  return receipt.transactionHash;
}

/** Waits for COMPLETE, compares the payment with the chain and returns it. */
export async function finish(stage: Stage, paymentId: string, symbol: string): Promise<Payment> {
  const { api, chain, timeline } = stage;
  const completed = await reaches(api, paymentId, 'COMPLETE');
  for (const { type, transaction_hash } of completed.fulfilled.route) {
    timeline.event(type.toLowerCase().replace('_', ' '), transaction_hash ?? '');
  }
  const { asset, amount } = completed.fulfilled.output_amount;
  timeline.event(
    'COMPLETE',
    `paid out ${amount} ${symbol} (${parseTokenIdentifier(chain.token(symbol)).address})`,
  );
  const held = await verifyCompleted(chain, completed);
  const shown = await chain.amount(chain.token(symbol), held);
  timeline.holds(`the destination holds ${shown} ${symbol}, at least the declared minimum`);
  timeline.holds(`hashes, amounts and fees of the route to ${asset} are those of the chain`);
  return completed;
}
