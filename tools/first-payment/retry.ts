import type { Payment, QuotesResponse, TokenIdentifier } from '@bascule/contracts';
import type { Hex } from 'viem';
import { check, checkEqual } from './check.js';
import {
  confirmBest,
  depositInfo,
  getPayment,
  quoteAndConfirm,
  reaches,
  type ConfirmedPayment,
} from './payments.js';
import { until } from './polling.js';
import { receivedIn } from './received.js';
import { finish } from './swap.js';
import { newTestUserWith, type Stage, type TestUser } from './test-user.js';
import { parkedBalance, withdraw, type ParkedBalance } from './withdraw.js';

export interface Retry {
  parent: Payment;
  child: Payment;
}

interface ParkedPayment {
  user: TestUser;
  payment: Payment;
  parked: ParkedBalance;
}

/** Plays both forms of a retry to the end. */
export async function runRetries(stage: Stage): Promise<Retry[]> {
  return [await requoteUnderpaid(stage), await spendSurplus(stage)];
}

/** Too little arrives: the balance itself is quoted again. */
export async function requoteUnderpaid(stage: Stage): Promise<Retry> {
  const { api, timeline } = stage;
  timeline.title('retry: too little arrives (10 of 25 USDC), and is quoted anew');
  const underpaid = await pay(stage, { asked: '25', sent: '10' });
  const { user, parked } = underpaid;
  const { payment_id } = underpaid.payment;
  const response = await api.post<QuotesResponse>('/payments/quotes', { payment_id });
  await checkInput(stage, underpaid, response);
  const retry = await confirmRetry(stage, user, response);
  const child = await moveAndFinish(stage, underpaid, retry, 'WETH');
  checkEqual('all of it was withdrawn', parked.account, 'SPW');
  return { parent: await reaches(api, payment_id, 'WITHDRAWN'), child };
}

/** Too much arrives: the surplus of the completed payment pays for another token. */
async function spendSurplus(stage: Stage): Promise<Retry> {
  const { api, chain, timeline } = stage;
  timeline.title('retry: too much arrives (20 of 12 USDC), and the rest pays again');
  const overpaid = await pay(stage, { asked: '12', sent: '20' });
  const { user, parked } = overpaid;
  const { payment_id } = overpaid.payment;
  const usdc = chain.token('USDC');
  const [held, fee] = await Promise.all([
    chain.units(usdc, parked.amount),
    chain.units(usdc, parked.withdrawalFee),
  ]);
  const amount = await chain.amount(usdc, held - fee);
  const response = await api.post<QuotesResponse>('/payments/quotes', {
    parent_payment_id: payment_id,
    request: {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: usdc, amount },
      output_asset: chain.token('ETH'),
    },
  });
  const retry = await confirmRetry(stage, user, response);
  const child = await moveAndFinish(stage, overpaid, retry, 'ETH');
  return { parent: await getPayment(api, payment_id), child };
}

/** Confirms a swap to WETH, sends another amount than asked for, and waits for what is parked. */
async function pay(
  stage: Stage,
  { asked, sent }: { asked: string; sent: string },
): Promise<ParkedPayment> {
  const { api, chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, sent);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: asked },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
  });
  const id = payment.payment_id;
  const units = await chain.units(usdc, sent);
  const { transactionHash } = await chain.transfer(user.owner, usdc, depositAddress, units);
  timeline.event('funded by the owner', `${sent} USDC, ${transactionHash}`);
  if (Number(sent) >= Number(asked)) await finish(stage, id, 'WETH');
  else await until('the deposit', async () => ((await getPayment(api, id)).funded ? true : null));
  const parked = await parkedBalance(api, id, 'SPW');
  timeline.event('balance', `${parked.amount} USDC, of which ${parked.withdrawalFee} repay gas`);
  return { user, payment, parked };
}

/** The input is the balance less a fee between those that balances tell before and after. */
async function checkInput(
  { api, chain, timeline }: Stage,
  { payment, parked }: ParkedPayment,
  { quote_request: { request } }: QuotesResponse,
): Promise<void> {
  if (request.kind !== 'FIXED_INPUT') throw new Error('a requote has a fixed input');
  const { asset, amount } = request.fixed_input_amount;
  checkEqual('the requote takes the parked token', asset, parked.token);
  const later = await parkedBalance(api, payment.payment_id, 'SPW');
  const units = (text: string) => chain.units(asset as TokenIdentifier, text);
  const fees = await Promise.all([parked, later].map((each) => units(each.withdrawalFee)));
  const [low = 0n, high = 0n] = fees.sort((a, b) => Number(a - b));
  const fee = (await units(parked.amount)) - (await units(amount));
  check('it leaves the withdrawal fee', low <= fee && fee <= high, { low, fee, high });
  timeline.event('quoted anew', `${amount} USDC`);
}

async function confirmRetry(
  { api, timeline }: Stage,
  { owner, destination }: TestUser,
  response: QuotesResponse,
): Promise<ConfirmedPayment> {
  const participants = { owner: owner.address, destination };
  const retry = await confirmBest(api, participants, response);
  timeline.event('confirmed', `payment ${retry.payment.payment_id}`);
  return retry;
}

/** The owner moves the parked money to the retry, which completes with it. */
async function moveAndFinish(
  stage: Stage,
  { user, payment, parked }: ParkedPayment,
  retry: ConfirmedPayment,
  symbol: string,
): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  const [deposit] = depositInfo(retry.payment);
  if (!deposit) throw new Error('the retry takes no deposit');
  const to = retry.depositAddress;
  const { transactionHash, payout } = await withdraw(
    api,
    user.owner,
    payment.payment_id,
    parked,
    to,
  );
  const arrived = await receivedIn(chain, transactionHash as Hex, parked.token, to);
  checkEqual('the retry received what was signed', arrived, payout);
  const needed = await chain.units(parked.token, deposit.deposit_amount);
  check('its deposit is complete', arrived >= needed, { arrived, needed });
  timeline.event('signed and moved to the retry', transactionHash);
  const id = retry.payment.payment_id;
  const child = await finish(stage, id, symbol);
  await webhooks.waitFor(id, 'COMPLETE');
  return child;
}
