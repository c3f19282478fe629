import type {
  Payment,
  TokenIdentifier,
  WithdrawalStatusResponse,
  WithdrawResponse,
} from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { Chain } from '../../tools/first-payment/chain.js';
import { openCheckout, payAt } from '../../tools/first-payment/onramp.js';
import {
  fundingPageUrl,
  getPayment,
  quoteAndConfirm,
  reaches,
} from '../../tools/first-payment/payments.js';
import { until } from '../../tools/first-payment/polling.js';
import { raisePrices } from '../../tools/first-payment/pool-price.js';
import { newTestUser, type Stage, type TestUser } from '../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import {
  parkedBalances,
  requestWithdrawal,
  signTypedData,
} from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { deadlinePasses, REFUSING_CODE } from './testing/classifications.fixture.js';
import { Miner } from './testing/miner.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { timelineOf } from './testing/timeline.fixture.js';
import { fetchOutsideApi } from '../testing/outside-api.fixture.js';

/** Longer than the window: only the declaration's expiry ends a leg that cannot be executed. */
const PATIENT = { EXECUTION_PATIENCE_MS: '1200000' };
/** Rows of the life cycle that the other files do not reach; windows are as short as they may be. */
const SHORT_WINDOW = { ...PATIENT, TOKEN_EXECUTION_WINDOW_MS: '120000' };
const WANTED = '25';
const SLOW = 400_000;

let stack: StackProcess;
let stage: Stage;
let alphanet: Miner;
/**
 * A payment whose conversion cannot meet its minimum before the declaration expires, during the other tests: on a
 * chain whose prices and clock they leave alone.
 */
let stuck: Confirmed;

beforeAll(async () => {
  stack = await StackProcess.create('life-cycle');
  stage = await silentStage(await stack.start(SHORT_WINDOW));
  alphanet = new Miner(stage.stack, 'alphanet');
  const betanet = new Chain(stage.stack, 'betanet');
  stuck = await confirmed(1, { output: 'WETH', on: betanet });
  await raisePrices(betanet);
  await deposit(stuck, WANTED);
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

interface Confirmed {
  user: TestUser;
  payment: Payment;
  wallet: Address;
  on: Chain;
}

/** Confirms a payment of USDC, or of another token, to be funded within the minutes. */
async function confirmed(
  minutes: number,
  { input = 'USDC', amount = WANTED, output = 'USDC', on = stage.chain } = {},
): Promise<Confirmed> {
  const { api } = stage;
  const user = newTestUser();
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: input === 'usd' ? input : on.token(input), amount },
    output: on.token(output),
    owner: user.owner.address,
    destination: user.destination,
    expirationMinutes: minutes,
  });
  return { user, payment, wallet: depositAddress, on };
}

async function deposit({ wallet, on }: Confirmed, amount: string, symbol = 'USDC'): Promise<void> {
  const token = on.token(symbol);
  await on.transfer(on.faucet, token, wallet, await on.units(token, amount));
}

const show = ({ payment }: Confirmed): Promise<Payment> =>
  getPayment(stage.api, payment.payment_id);

const idOf = ({ payment }: Confirmed): string => payment.payment_id;

/** Statuses without and with `enable_withdraw_pending`. */
const statuses = (of: Confirmed): Promise<Payment['status'][]> =>
  Promise.all(
    ['false', 'true'].map(async (enable_withdraw_pending) => {
      const query = { payment_id: idOf(of), enable_withdraw_pending };
      return (await stage.api.get<Payment>('/payments', query)).status;
    }),
  );

const reachesStatuses = (of: Confirmed, expected: Payment['status'][]) =>
  until(`payment ${idOf(of)} ${expected.join()}`, async () =>
    (await statuses(of)).join() === expected.join() ? expected : null,
  );

/** Waits for the issue of parked funds, and returns all issues. */
const withParked = (of: Confirmed, classification: string): Promise<Payment> =>
  until(`${classification} of ${idOf(of)}`, async () => {
    const payment = await show(of);
    const isFound = payment.issues.some(
      (issue) => issue.kind === 'parked_fund' && issue.classification === classification,
    );
    return isFound ? payment : null;
  });

interface Signed {
  answer: WithdrawResponse;
  recipient: Address;
  signature: string;
}

/** Signs a withdrawal of all of a token that the wallet holds. */
async function signed(of: Confirmed, token: TokenIdentifier): Promise<Signed> {
  const parked = await until(`${token} of ${idOf(of)}`, async () => {
    const balances = await parkedBalances(stage.api, idOf(of));
    return balances.find((balance) => balance.token === token) ?? null;
  });
  const { destination: recipient } = newTestUser();
  const answer = await requestWithdrawal(stage.api, {
    payment_id: idOf(of),
    token_amounts: [{ token, amount: parked.amount }],
    recipient_address: recipient,
    withdraw_account: 'SPW',
  });
  const signature = await signTypedData(of.user.owner, answer.withdraw_authorization);
  return { answer, recipient, signature };
}

const acceptsBlame = ({ answer }: Signed): boolean =>
  (JSON.parse(answer.withdraw_authorization) as { message: { accept_blame: boolean } }).message
    .accept_blame;

/** Asks again while the senders of new deposits have no verdict. */
const confirm = ({ answer: { state_token }, signature }: Signed, polling_timeout: number) =>
  until('an answer', async () => {
    const answer = await stage.api.request('POST', '/payments/withdraw/confirm', {
      body: { state_token, signature, polling_timeout },
    });
    return answer.status === 503 ? null : answer;
  });

const ends = ({ answer: { withdraw_id } }: Signed, status: string) =>
  until(`withdrawal ${withdraw_id} ${status}`, async () => {
    const query = { withdraw_id };
    const now = await stage.api.get<WithdrawalStatusResponse>('/payments/withdraw/status', query);
    return now.status === status ? now : null;
  });

describe('a PENDING payment', () => {
  it('is funded with issues by less than it needs and by another token, and EXPIRED once its owner takes a part', async () => {
    const { chain } = stage;
    const payment = await confirmed(60);
    expect(await show(payment)).toMatchObject({ status: 'PENDING', funded: false, issues: [] });
    await deposit(payment, '10');
    const underfunded = await withParked(payment, 'UNDERFUNDED');
    expect(underfunded).toMatchObject({ status: 'PENDING', funded: true });
    await deposit(payment, '3', 'USDT');
    const { issues, status } = await withParked(payment, 'MISSENT');
    expect(status).toBe('PENDING');
    expect(issues).toContainEqual({
      kind: 'funding',
      token: chain.token('USDT'),
      balance: { '#': '3000000' },
    });

    const withdrawal = await signed(payment, chain.token('USDC'));
    expect(acceptsBlame(withdrawal)).toBe(true);
    expect((await confirm(withdrawal, 60_000)).status).toBe(200);
    const expired = await reaches(stage.api, idOf(payment), 'EXPIRED');
    expect(expired.withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await statuses(payment)).toEqual(['EXPIRED', 'EXPIRED']);
    const rest = await signed(payment, chain.token('USDT'));
    expect((await confirm(rest, 60_000)).status).toBe(200);
    await reaches(stage.api, idOf(payment), 'WITHDRAWN');
  });

  it('is PENDING again when its withdrawal fails on the chain', async () => {
    const native = stage.chain.token('ETH');
    const payment = await confirmed(60, { input: 'ETH', amount: '0.02' });
    await deposit(payment, '0.01', 'ETH');
    await withParked(payment, 'UNDERFUNDED');
    const withdrawal = await signed(payment, native);
    await alphanet.standStill();
    try {
      expect((await confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
      await reachesStatuses(payment, ['PENDING', 'WITHDRAW_PENDING']);
      await alphanet.waiting(1);
      // The recipient refuses native currency from now on.
      const url = stage.stack.chains['alphanet']?.rpc_url ?? '';
      await rpcCall(url, 'anvil_setCode', [withdrawal.recipient, REFUSING_CODE]);
      await alphanet.mine(2);
    } finally {
      await alphanet.goOn();
    }
    await ends(withdrawal, 'FAILED');
    expect((await confirm(withdrawal, 0)).status).toBe(400);
    await reachesStatuses(payment, ['PENDING', 'PENDING']);
    const { withdrawals } = await show(payment);
    expect(withdrawals).toMatchObject([{ status: 'FAILED' }]);
    const again = await signed(payment, native);
    expect((await confirm(again, 60_000)).status).toBe(200);
    await reaches(stage.api, idOf(payment), 'WITHDRAWN');
  });
});

/** Buys with a payment in time, and has it delivered after the deadline. */
async function buySlowly(): Promise<Confirmed> {
  const bought = await confirmed(1, { input: 'usd', amount: '120' });
  const checkout = await openCheckout(fundingPageUrl(bought.payment));
  const simulated = await fetchOutsideApi(`${checkout}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ delivery_seconds: 75 }),
  });
  expect(simulated.ok).toBe(true);
  await payAt(checkout);
  return bought;
}

describe('a deadline', () => {
  let bought: Confirmed;
  let unfunded: Confirmed;
  let partly: Confirmed;
  let inTime: Confirmed;
  let late: Confirmed;

  // It passes for all of them while nothing runs.
  beforeAll(async () => {
    bought = await buySlowly();
    unfunded = await confirmed(1);
    partly = await confirmed(1);
    inTime = await confirmed(1);
    late = await confirmed(1);
    await stack.stop('SIGKILL');
    await deposit(inTime, WANTED);
    await deposit(partly, '10');
    await deadlinePasses(stage, late.payment);
    await deposit(late, WANTED);
    // With the default window, later declarations outlive their withdrawals.
    await stack.start(PATIENT);
  }, SLOW);

  it('is judged by the blocks of the deposits, however late they are seen', async () => {
    const { api, chain, webhooks } = stage;
    await verifyCompleted(chain, await reaches(api, idOf(inTime), 'COMPLETE'));
    expect(await reaches(api, idOf(unfunded), 'EXPIRED')).toMatchObject({
      funded: false,
      issues: [],
    });
    await reaches(api, idOf(partly), 'EXPIRED');
    expect(await withParked(partly, 'UNDERFUNDED')).toMatchObject({ funded: true });
    await reaches(api, idOf(late), 'EXPIRED');
    expect(await withParked(late, 'DELAYED')).toMatchObject({ status: 'EXPIRED', funded: true });
    await webhooks.waitFor(idOf(inTime), 'COMPLETE');
    expect(webhooks.statusesOf(idOf(unfunded))).toEqual([]);
  });

  it(
    'does not expire an onramp that was paid in time and is delivered later',
    async () => {
      const completed = await reaches(stage.api, idOf(bought), 'COMPLETE', 180_000);
      await verifyCompleted(stage.chain, completed);
      const { entries } = await timelineOf(stage.api, idOf(bought));
      const delivery = entries.find(({ type }) => type === 'deposit.seen');
      const deadline = Date.parse(bought.payment.initiate_fund_by);
      expect(Date.parse(delivery?.time ?? '')).toBeGreaterThan(deadline);
      expect(JSON.stringify(entries)).not.toContain('EXPIRED');
    },
    SLOW,
  );
});

// It moves the clock of the chain by the lifetime of a withdrawal: later quotes there would be too late.
describe('a withdrawal that expires', () => {
  it(
    'leaves a payment EXPIRED whose funding deadline has passed meanwhile',
    async () => {
      const payment = await confirmed(1);
      await deposit(payment, '10');
      await withParked(payment, 'UNDERFUNDED');
      const withdrawal = await signed(payment, stage.chain.token('USDC'));
      const { message } = JSON.parse(withdrawal.answer.withdraw_authorization) as {
        message: { nonce: string };
      };
      const dead = BigInt(message.nonce) >> 192n;
      await alphanet.standStill();
      try {
        expect((await confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
        await reachesStatuses(payment, ['PENDING', 'WITHDRAW_PENDING']);
        await alphanet.mineAt(dead + 1n);
        await alphanet.mine(2);
      } finally {
        await alphanet.goOn();
      }
      await ends(withdrawal, 'EXPIRED');
      expect((await confirm(withdrawal, 0)).status).toBe(400);
      await deadlinePasses(stage, payment.payment);
      await reachesStatuses(payment, ['EXPIRED', 'EXPIRED']);
      expect((await show(payment)).withdrawals).toMatchObject([{ status: 'EXPIRED' }]);
    },
    SLOW,
  );
});

describe('a declaration that expires', () => {
  it(
    'fails a payment once its declaration has expired with nothing in flight',
    async () => {
      const { api, webhooks } = stage;
      const failed = await reaches(api, idOf(stuck), 'FAILED', 300_000);
      const expiry = Number(failed.declaration.expiry) * 1_000;
      expect(Date.parse(failed.completed_at ?? '')).toBeGreaterThan(expiry);
      expect(failed.fulfilled.route.at(-1)).toMatchObject({ status: 'FAILED' });
      expect(await withParked(stuck, 'STUCK')).toMatchObject({ status: 'FAILED' });
      await webhooks.waitFor(idOf(stuck), 'FAILED');
    },
    SLOW,
  );
});
