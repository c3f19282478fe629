import type { Payment } from '@bascule/contracts';
import type { Address } from 'viem';
import { check, checkEqual } from './check.js';
import { quoteAndConfirm, reaches, type ConfirmedPayment } from './payments.js';
import { newTestUserWith, type TestUser, type Stage } from './test-user.js';
import { raisePrices } from './pool-price.js';
import { fund } from './swap.js';
import { parkedBalance, withdraw } from './withdraw.js';

const WANTED = '25';
const SENT = '10';
const EXPIRES_IN_MS = 60_000;

/** Runs two ways of parking money; returns the withdrawn payments. */
export async function runRecoveries(stage: Stage): Promise<Payment[]> {
  stage.timeline.title(`recover: too little arrives (${SENT} of ${WANTED} USDC)`);
  const expiring = await underfund(stage);
  const failed = await runFailedConversion(stage);
  stage.timeline.title('recover: the deadline of the underfunded payment');
  return [failed, await recoverExpired(stage, expiring)];
}

interface FundedSwap {
  user: TestUser;
  confirmed: ConfirmedPayment;
}

async function confirmSwap(stage: Stage, expirationMinutes?: number): Promise<FundedSwap> {
  const { api, chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, WANTED);
  const confirmed = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: WANTED },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
    ...(expirationMinutes === undefined ? {} : { expirationMinutes }),
  });
  const { payment_id, initiate_fund_by } = confirmed.payment;
  timeline.event('confirmed', `payment ${payment_id}, to be funded by ${initiate_fund_by}`);
  return { user, confirmed };
}

async function underfund(stage: Stage): Promise<FundedSwap> {
  const swap = await confirmSwap(stage, 1);
  const { chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const to = swap.confirmed.depositAddress;
  const units = await chain.units(usdc, SENT);
  const { transactionHash } = await chain.transfer(swap.user.owner, usdc, to, units);
  timeline.event('funded by the owner', `${SENT} USDC, ${transactionHash}`);
  return swap;
}

async function recoverExpired(stage: Stage, { user, confirmed }: FundedSwap): Promise<Payment> {
  const { api, timeline } = stage;
  const { payment_id } = confirmed.payment;
  const expired = await reaches(api, payment_id, 'EXPIRED', EXPIRES_IN_MS + 60_000);
  timeline.event('EXPIRED', issuesOf(expired));
  check(
    'what was sent is an issue',
    expired.issues.some(
      (issue) => issue.kind === 'parked_fund' && issue.classification === 'UNDERFUNDED',
    ),
    expired.issues,
  );
  return recover(stage, user, payment_id, SENT);
}

/** Fails a payment by moving the pools, and returns it as withdrawn. */
async function runFailedConversion(stage: Stage): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  timeline.title('recover: a conversion that cannot meet its minimum');
  const { user, confirmed } = await confirmSwap(stage);
  const { payment } = confirmed;
  const restore = await raisePrices(chain);
  timeline.event('pools moved', 'WETH costs more than the payment tolerates');
  try {
    timeline.event('funded by the owner', await fund(stage, user, payment));
    const failed = await reaches(api, payment.payment_id, 'FAILED', 180_000);
    timeline.event('FAILED', issuesOf(failed));
    checkEqual(
      'nothing was paid out',
      await chain.balance(chain.token('WETH'), user.destination),
      0n,
    );
  } finally {
    await restore();
    timeline.event('pools moved back');
  }
  await webhooks.waitFor(payment.payment_id, 'FAILED');
  timeline.event('webhook', 'WORKFLOW_FAILED, signed over its raw body');
  return recover(stage, user, payment.payment_id, WANTED);
}

const issuesOf = ({ issues }: Payment): string =>
  issues
    .map((issue) => (issue.kind === 'parked_fund' ? issue.classification : issue.kind))
    .join(', ');

/** Withdraws the parked money to the owner; returns the withdrawn payment. */
async function recover(
  stage: Stage,
  user: TestUser,
  paymentId: string,
  amount: string,
): Promise<Payment> {
  const { api, chain, timeline } = stage;
  const usdc = chain.token('USDC');
  const owner: Address = user.owner.address;
  const before = await chain.balance(usdc, owner);
  const parked = await parkedBalance(api, paymentId, 'SPW');
  checkEqual('the parked token is what was sent', parked.token, usdc);
  checkEqual(
    'and all of it',
    await chain.units(usdc, parked.amount),
    await chain.units(usdc, amount),
  );
  timeline.event('balance', `${parked.amount} USDC, of which ${parked.withdrawalFee} repay gas`);

  const { transactionHash, payout } = await withdraw(api, user.owner, paymentId, parked);
  timeline.event('signed and withdrawn', transactionHash);
  const received = (await chain.balance(usdc, owner)) - before;
  checkEqual('the owner has what was signed', received, payout);
  const sent = await chain.units(usdc, amount);
  check('all but a fee', received < sent && received > sent / 2n, { received, sent });
  timeline.holds(`the owner has ${await chain.amount(usdc, received)} USDC again`);
  const withdrawn = await reaches(api, paymentId, 'WITHDRAWN', 60_000);
  const [withdrawal] = withdrawn.withdrawals ?? [];
  checkEqual('the payment knows the withdrawal', withdrawal?.transaction_hash, transactionHash);
  timeline.event('WITHDRAWN');
  return withdrawn;
}
