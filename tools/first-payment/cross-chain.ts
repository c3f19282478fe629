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
  /** Leaves an unfilled order in the escrow for the owner's signature. */
  useIntentRefund?: boolean;
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
  await runSilentSolver(stage, async (orders) => {
    for (const order of orders) await windowPasses(stage, order);
  });
}

interface Crossed {
  user: TestUser;
  confirmed: ConfirmedPayment;
  other: Chain;
}

/** A payment from the stage's chain to `betanet`. */
export async function confirmCrossing(
  { api, chain, stack }: Stage,
  { give, get, useIntentRefund }: Omit<Crossing, 'title'>,
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
    ...(useIntentRefund === undefined ? {} : { useIntentRefund }),
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
 * Runs two crossings that no solver fills: the service returns one order to its wallet, the other one waits for its
 * owner's signature.
 * @param passWindow returns when none of the orders can be filled any more
 */
export async function runSilentSolver(
  stage: Stage,
  passWindow: (orders: readonly Order[]) => Promise<void>,
): Promise<void> {
  const { timeline } = stage;
  timeline.title('cross-chain: the solver is silent, and the owners take the money back');
  await setSolverBehaviour(stage.stack, { mode: 'silent' });
  try {
    const kept = await openOrder(stage, { ...UNFILLED, useIntentRefund: true });
    const left = await openOrder(stage, { ...UNFILLED, useIntentRefund: false });
    await passWindow([kept.order, left.order]);
    for (const { payment } of [kept, left]) await fails(stage, payment);
    await refund(stage, kept, 'INTENT');
    await refund(stage, left, 'SPW');
  } finally {
    await setSolverBehaviour(stage.stack, { mode: 'normal' });
  }
}

/** A funded payment and its order in the escrow. */
export interface OrderedPayment {
  user: TestUser;
  payment: Payment;
  order: Order;
}

async function openOrder(stage: Stage, crossing: Omit<Crossing, 'title'>): Promise<OrderedPayment> {
  const { chain, timeline } = stage;
  const fromBlock = await chain.client.getBlockNumber();
  const { user, confirmed } = await confirmCrossing(stage, crossing);
  const { payment, depositAddress } = confirmed;
  const flag = `use_intent_refund ${String(crossing.useIntentRefund)}`;
  timeline.event('confirmed', `payment ${payment.payment_id}, ${flag}`);
  timeline.event('funded by the owner', await fund(stage, user, payment));
  const order = await openedOrder(chain, depositAddress, fromBlock);
  const deadline = new Date(Number(order.fillDeadline) * 1000).toISOString();
  timeline.event('order open', `until ${deadline}`);
  return { user, payment, order };
}

async function fails(
  { api, timeline, webhooks }: Stage,
  { payment_id: id }: Payment,
): Promise<void> {
  const failed = await reaches(api, id, 'FAILED', CROSSES_WITHIN_MS);
  timeline.event('FAILED', failed.issues.map(({ kind }) => kind).join(', '));
  await webhooks.waitFor(id, 'FAILED');
  timeline.event('webhook', 'WORKFLOW_FAILED, signed over its raw body');
}

/** Balance, text, signature, withdrawal: the owner has the money of the order again. */
export async function refund(
  stage: Stage,
  { user, payment, order }: OrderedPayment,
  account: 'INTENT' | 'SPW',
): Promise<void> {
  const { api, chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const { address } = user.owner;
  const parked = await parkedBalance(api, payment.payment_id, account);
  checkEqual('the balance is the order', await chain.units(usdc, parked.amount), order.inputAmount);
  const status = account === 'SPW' ? 'REFUNDED' : 'OPEN';
  checkEqual('where the order is', await orderStatus(chain, order), status);
  timeline.event('balance', `${parked.amount} USDC, account ${account}`);
  const before = await chain.balance(usdc, address);
  const { transactionHash, payout } = await withdraw(api, user.owner, payment.payment_id, parked);
  timeline.event('signed and withdrawn', transactionHash);
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
