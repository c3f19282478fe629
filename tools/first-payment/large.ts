import type { Payment } from '@bascule/contracts';
import { checkEqual } from './check.js';
import { confirmBody, quote, trustedDepositAddress } from './payments.js';
import { finish, fund } from './swap.js';
import { newTestUser, newTestUserWith, type TestUser, type Stage } from './test-user.js';
import { strangerIsRefused, verified } from './verification.js';

const AMOUNT = '2500';

/** Plays two payments of 2,500 dollars by one owner, who signs for the first only; returns both. */
export async function runLarge(stage: Stage): Promise<Payment[]> {
  const { chain, timeline } = stage;
  const usdc = chain.token('USDC');
  timeline.title(`large: ${AMOUNT} USDC, whose owner has to sign first`);
  const user = await newTestUserWith(chain, usdc, AMOUNT);
  const first = await pay(stage, user, 'UNCONFIRMED');
  timeline.title(`large: ${AMOUNT} USDC of the same owner, who need not sign again`);
  await chain.endow(user.owner.address, usdc, await chain.units(usdc, AMOUNT));
  return [first, await pay(stage, user, 'PENDING')];
}

async function pay(
  stage: Stage,
  user: TestUser,
  expected: 'UNCONFIRMED' | 'PENDING',
): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  const destination = newTestUser().destination;
  const owner = user.owner.address;
  const input = { asset: chain.token('USDC'), amount: AMOUNT };
  const request = { input, output: chain.token('WETH'), owner, destination };
  const { quotes, state_token } = await quote(api, request);
  const [best] = quotes;
  if (!best) throw new Error('no quote');
  const body = confirmBody(request, best.payment_id, state_token);
  const answered = await api.post<Payment>('/payments/confirm', body);
  checkEqual('the status of the answer', answered.status, expected);
  timeline.event(answered.status, `payment ${answered.payment_id}`);
  const payment = expected === 'PENDING' ? answered : await sign(stage, user, answered);
  const depositAddress = trustedDepositAddress(request, payment);
  timeline.holds(`its declaration makes the deposit address ${depositAddress}`);
  timeline.event('funded by the owner', await fund(stage, { ...user, destination }, payment));
  const completed = await finish(stage, payment.payment_id, 'WETH');
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  return completed;
}

async function sign(
  { api, timeline }: Stage,
  { owner }: TestUser,
  unconfirmed: Payment,
): Promise<Payment> {
  const next = unconfirmed.next_instruction;
  if (next?.type !== 'USER_VERIFY') throw new Error('the payment needs no verification');
  for (const { payload } of next.verifications) {
    timeline.event('to sign', `\n${payload.replace(/^/gm, ' '.repeat(11))}`);
  }
  await strangerIsRefused(api, newTestUser().owner, unconfirmed);
  timeline.holds("a stranger's signature is refused");
  const payment = await verified(api, owner, unconfirmed);
  timeline.event('signed and confirmed', `payment ${payment.payment_id}`);
  return payment;
}
