import type { Payment } from '@bascule/contracts';
import type { Order } from '@bascule/solidity';
import { setTimeout as delay } from 'node:timers/promises';
import { Chain } from './chain.js';
import { check, checkEqual } from './check.js';
import { openedOrder, orderStatus } from './intent-orders.js';
import { quoteAndConfirm, reaches, type ConfirmedPayment } from './payments.js';
import { newTestUserWith, type TestUser, type Stage } from './test-user.js';
import { setSolverBehaviour } from './solver.js';
import { fund } from './swap.js';
import { verifyCompleted } from './verify-completed.js';
import { parkedBalance, withdraw } from './withdraw.js';

export interface Crossing {
  title: string;
  give: { symbol: string; amount: string };
  get: string;
}

export const CROSSINGS: readonly Crossing[] = [
  { title: 'the same token', give: { symbol: 'USDC', amount: '25' }, get: 'USDC' },
  { title: 'bridge, convert', give: { symbol: 'USDC', amount: '30' }, get: 'WETH' },
  { title: 'convert, bridge, convert', give: { symbol: 'WETH', amount: '0.02' }, get: 'ETH' },
];

const CROSSES_WITHIN_MS = 120_000;
const TELL_EVERY_MS = 15_000;

export async function runCrossChain(stage: Stage): Promise<void> {
  for (const crossing of CROSSINGS) await runCrossing(stage, crossing);
  await runSilentSolver(stage, (order) => windowPasses(stage, order));
}

interface Crossed {
  user: TestUser;
  confirmed: ConfirmedPayment;
  other: Chain;
}

/** A payment from the stage's chain to `betanet`. */
export async function confirmCrossing(
  { api, chain, stack }: Stage,
  { give, get }: Omit<Crossing, 'title'>,
  expirationMinutes?: number,
): Promise<Crossed> {
  const other = new Chain(stack, 'betanet');
  const input = chain.token(give.symbol);
  const user = await newTestUserWith(chain, input, give.amount);
  const confirmed = await quoteAndConfirm(api, {
    input: { asset: input, amount: give.amount },
    output: other.token(get),
    owner: user.owner.address,
    destination: user.destination,
    ...(expirationMinutes === undefined ? {} : { expirationMinutes }),
  });
  return { user, confirmed, other };
}

/** Returns the completed payment, verified against both chains. */
export async function runCrossing(stage: Stage, crossing: Crossing): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  const { title, give, get } = crossing;
  timeline.title(
    `cross-chain: ${title} (${give.amount} ${give.symbol} on ${chain.name} to ${get} on betanet)`,
  );
  const { user, confirmed, other } = await confirmCrossing(stage, crossing);
  const { quote, payment, depositAddress } = confirmed;
  const { output_amount, fees } = quote;
  timeline.event(
    'quoted',
    `${output_amount.amount} ${get}, fees ${fees.total_fees} ${fees.currency_symbol}`,
  );
  timeline.event('confirmed', `payment ${payment.payment_id}`);
  timeline.holds(`its declaration makes the deposit address ${depositAddress}, on both chains`);
  timeline.event('funded by the owner', await fund(stage, user, payment));
  const completed = await reaches(api, payment.payment_id, 'COMPLETE', CROSSES_WITHIN_MS);
  printSteps(stage, completed);
  const held = await verifyCompleted([chain, other], completed);
  const shown = await other.amount(other.token(get), held);
  timeline.event('COMPLETE', `paid out ${completed.fulfilled.output_amount.amount} ${get}`);
  timeline.holds(`the destination holds ${shown} ${get} on betanet, at least the declared minimum`);
  timeline.holds('hashes, amounts and fees of every step are those of the chains');
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  timeline.event('webhook', 'WORKFLOW_COMPLETED, signed over its raw body');
  return completed;
}

function printSteps({ timeline }: Stage, { fulfilled }: Payment): void {
  for (const { type, transaction_hash } of fulfilled.route) {
    timeline.event(type.toLowerCase().replace('_', ' '), transaction_hash ?? '');
  }
}

const UNFILLED: Omit<Crossing, 'title'> = { give: { symbol: 'USDC', amount: '25' }, get: 'USDC' };

/**
 * Runs a crossing that no solver fills, and whose owner takes a refund from the escrow.
 * @param passWindow returns when the order can be filled no more
 */
export async function runSilentSolver(
  stage: Stage,
  passWindow: (order: Order) => Promise<void>,
): Promise<void> {
  const { api, chain, timeline, webhooks } = stage;
  timeline.title('cross-chain: the solver is silent, and the owner takes the money back');
  const fromBlock = await chain.client.getBlockNumber();
  const { user, confirmed } = await confirmCrossing(stage, UNFILLED);
  const { payment, depositAddress } = confirmed;
  timeline.event('confirmed', `payment ${payment.payment_id}`);
  await setSolverBehaviour(stage.stack, { mode: 'silent' });
  try {
    timeline.event('funded by the owner', await fund(stage, user, payment));
    const order = await openedOrder(chain, depositAddress, fromBlock);
    timeline.event(
      'order open',
      `until ${new Date(Number(order.fillDeadline) * 1000).toISOString()}`,
    );
    await passWindow(order);
    const failed = await reaches(api, payment.payment_id, 'FAILED', CROSSES_WITHIN_MS);
    timeline.event('FAILED', failed.issues.map(({ kind }) => kind).join(', '));
    await webhooks.waitFor(payment.payment_id, 'FAILED');
    timeline.event('webhook', 'WORKFLOW_FAILED, signed over its raw body');
    await refund(stage, user, payment, order);
  } finally {
    await setSolverBehaviour(stage.stack, { mode: 'normal' });
  }
}

/** Balance, text, signature, refund: the owner has the money again. */
export async function refund(
  stage: Stage,
  user: TestUser,
  payment: Payment,
  order: Order,
): Promise<void> {
  const { api, chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const { address } = user.owner;
  const parked = await parkedBalance(api, payment.payment_id, 'INTENT');
  checkEqual('the balance is the order', await chain.units(usdc, parked.amount), order.inputAmount);
  timeline.event('balance', `${parked.amount} USDC, account INTENT`);
  const before = await chain.balance(usdc, address);
  const { transactionHash, payout } = await withdraw(
    api,
    user.owner,
    payment.payment_id,
    parked,
    'EIP191',
  );
  timeline.event('signed and refunded', transactionHash);
  const received = (await chain.balance(usdc, address)) - before;
  checkEqual('the owner has what was signed', received, payout);
  check('all but a fee', received > order.inputAmount / 2n, { received });
  checkEqual('the order is closed', await orderStatus(chain, order), 'REFUNDED');
  timeline.holds(`the owner has ${await chain.amount(usdc, received)} USDC again`);
  await reaches(api, payment.payment_id, 'WITHDRAWN', CROSSES_WITHIN_MS);
  timeline.event('WITHDRAWN');
}

async function windowPasses(
  { timeline, stack, chain }: Stage,
  { fillDeadline }: Order,
): Promise<void> {
  const chains = [chain, new Chain(stack, 'betanet')];
  for (;;) {
    const blocks = await Promise.all(chains.map(({ client }) => client.getBlock()));
    const left = Math.max(...blocks.map(({ timestamp }) => Number(fillDeadline - timestamp)));
    if (left < 0) return;
    timeline.event('nobody fills it', `${left} s left`);
    await delay(Math.min(TELL_EVERY_MS, (left + 1) * 1_000));
  }
}
