import { tokenIdentifier } from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { deployAnotherToken } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chain } from '../../tools/first-payment/chain.js';
import { openCheckout, payAt } from '../../tools/first-payment/onramp.js';
import { fundingPageUrl, reaches } from '../../tools/first-payment/payments.js';
import { raisePrices } from '../../tools/first-payment/pool-price.js';
import type { Stage } from '../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import { parkedBalances } from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { deadlinePasses, REFUSING_CODE } from './testing/classifications.fixture.js';
import { endedWithdrawals, takeAll, takePart } from './testing/ended-withdrawals.fixture.js';
import {
  acceptsBlame,
  deposit,
  idOf,
  LifeCycleStand,
  type Confirmed,
  type Signed,
} from './testing/life-cycle-stand.fixture.js';
import { legsAfterWithdrawals } from './testing/legs-after-withdrawals.fixture.js';
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
let stand: LifeCycleStand;
let alphanet: Miner;
let betanet: Miner;
let there: Chain;
/**
 * A payment whose conversion cannot meet its minimum before the declaration expires, during the other tests: on a
 * chain whose prices and clock they leave alone.
 */
let stuck: Confirmed;

beforeAll(async () => {
  stack = await StackProcess.create('life-cycle');
  stage = await silentStage(await stack.start(SHORT_WINDOW));
  stand = new LifeCycleStand(stage);
  alphanet = new Miner(stage.stack, 'alphanet');
  betanet = new Miner(stage.stack, 'betanet');
  there = new Chain(stage.stack, 'betanet');
  stuck = await stand.confirmed(1, { output: 'WETH', on: there });
  await raisePrices(there);
  await deposit(stuck, WANTED);
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

describe('a PENDING payment', () => {
  it('is funded with issues by less than it needs and by another token, and EXPIRED once its owner takes a part', async () => {
    const { chain } = stage;
    const payment = await stand.confirmed(60);
    expect(await stand.show(payment)).toMatchObject({
      status: 'PENDING',
      funded: false,
      issues: [],
    });
    await deposit(payment, '10');
    const underfunded = await stand.withParked(payment, 'UNDERFUNDED');
    expect(underfunded).toMatchObject({ status: 'PENDING', funded: true });
    await deposit(payment, '3', 'USDT');
    const { issues, status } = await stand.withParked(payment, 'MISSENT');
    expect(status).toBe('PENDING');
    expect(issues).toContainEqual({
      kind: 'funding',
      token: chain.token('USDT'),
      balance: { '#': '3000000' },
    });

    const withdrawal = await stand.signed(payment, chain.token('USDC'));
    expect(acceptsBlame(withdrawal)).toBe(true);
    expect((await stand.confirm(withdrawal, 60_000)).status).toBe(200);
    const expired = await reaches(stage.api, idOf(payment), 'EXPIRED');
    expect(expired.withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await stand.statuses(payment)).toEqual(['EXPIRED', 'EXPIRED']);
    const rest = await stand.signed(payment, chain.token('USDT'));
    expect((await stand.confirm(rest, 60_000)).status).toBe(200);
    await reaches(stage.api, idOf(payment), 'WITHDRAWN');
  });

  it('is funded with issues by another token alone, and ignores tokens that the catalogue does not know', async () => {
    const { api, chain, stack: file } = stage;
    const [unknown, missent] = [await stand.confirmed(60), await stand.confirmed(60)];
    const deployed = await deployAnotherToken(file.chains['alphanet']?.rpc_url ?? '');
    const token = tokenIdentifier('alphanet', deployed);
    await chain.transfer(chain.faucet, token, unknown.wallet, await chain.units(token, WANTED));
    // In a later block: once it is seen, the former deposit would be, too.
    await deposit(missent, WANTED, 'USDT');
    expect(await stand.withParked(missent, 'MISSENT')).toMatchObject({
      status: 'PENDING',
      funded: true,
      issues: expect.arrayContaining([
        { kind: 'funding', token: chain.token('USDT'), balance: { '#': '25000000' } },
      ]),
    });
    expect(await stand.show(unknown)).toMatchObject({
      status: 'PENDING',
      funded: false,
      issues: [],
    });
    expect(await parkedBalances(api, idOf(unknown))).toEqual([]);
  });

  it('is PENDING again when its withdrawal fails on the chain', async () => {
    const native = stage.chain.token('ETH');
    const payment = await stand.confirmed(60, { input: 'ETH', amount: '0.02' });
    await deposit(payment, '0.01', 'ETH');
    await stand.withParked(payment, 'UNDERFUNDED');
    const withdrawal = await stand.signed(payment, native);
    await alphanet.standStill();
    try {
      expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
      await stand.reachesStatuses(payment, 'PENDING', 'WITHDRAW_PENDING');
      await alphanet.waiting(1);
      // The recipient refuses native currency from now on.
      const url = stage.stack.chains['alphanet']?.rpc_url ?? '';
      await rpcCall(url, 'anvil_setCode', [withdrawal.recipient, REFUSING_CODE]);
      await alphanet.mine(2);
    } finally {
      await alphanet.goOn();
    }
    await stand.ends(withdrawal, 'FAILED');
    expect((await stand.confirm(withdrawal, 0)).status).toBe(400);
    await stand.reachesStatuses(payment, 'PENDING', 'PENDING');
    const { withdrawals } = await stand.show(payment);
    expect(withdrawals).toMatchObject([{ status: 'FAILED' }]);
    const again = await stand.signed(payment, native);
    expect((await stand.confirm(again, 60_000)).status).toBe(200);
    await reaches(stage.api, idOf(payment), 'WITHDRAWN');
  });

  legsAfterWithdrawals(() => ({ stage, stand }));
});

/** Buys with a payment in time, and has it delivered after the deadline. */
async function buySlowly(): Promise<Confirmed> {
  const bought = await stand.confirmed(1, { input: 'usd', amount: '120' });
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
    unfunded = await stand.confirmed(1);
    partly = await stand.confirmed(1);
    inTime = await stand.confirmed(1);
    late = await stand.confirmed(1);
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
    expect(await stand.withParked(partly, 'UNDERFUNDED')).toMatchObject({ funded: true });
    await reaches(api, idOf(late), 'EXPIRED');
    expect(await stand.withParked(late, 'DELAYED')).toMatchObject({
      status: 'EXPIRED',
      funded: true,
    });
    await webhooks.waitFor(idOf(inTime), 'COMPLETE');
    expect(webhooks.statusesOf(idOf(unfunded))).toEqual([]);
  });

  it('is EXPIRED again after its owner has taken a part with accept_blame', async () => {
    const { issues } = await takePart({ stage, stand }, late, 'EXPIRED');
    expect(issues).toContainEqual(
      expect.objectContaining({ kind: 'parked_fund', balance: { '#': '15000000' } }),
    );
  });

  endedWithdrawals(
    () => ({ stage, stand }),
    () => partly,
  );

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

// It moves the clock of alphanet by the lifetime of a withdrawal: later quotes there would be too late.
describe('a funding deadline that passes during a withdrawal', () => {
  let landing: Confirmed;
  let expiring: Confirmed;
  let landed: Signed;
  let expired: Signed;

  beforeAll(async () => {
    [landing, expiring] = await Promise.all([
      stand.confirmed(1, { on: there }),
      stand.confirmed(1),
    ]);
    for (const each of [landing, expiring]) await deposit(each, '10');
    await deposit(landing, '5', 'USDT');
    await Promise.all([
      stand.withParked(landing, 'MISSENT'),
      stand.withParked(expiring, 'UNDERFUNDED'),
    ]);
    [landed, expired] = await Promise.all([
      stand.signed(landing, there.token('USDT')),
      stand.signed(expiring, stage.chain.token('USDC')),
    ]);
    const { message } = JSON.parse(expired.answer.withdraw_authorization) as {
      message: { nonce: string };
    };
    const dead = BigInt(message.nonce) >> 192n;
    await Promise.all([alphanet.standStill(), betanet.standStill()]);
    try {
      for (const withdrawal of [landed, expired]) {
        expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
      }
      for (const each of [landing, expiring]) {
        await stand.reachesStatuses(each, 'PENDING', 'WITHDRAW_PENDING');
      }
      await alphanet.mineAt(dead + 1n);
      await alphanet.mine(2);
      await deadlinePasses(stage, landing.payment);
    } finally {
      await Promise.all([alphanet.goOn(), betanet.goOn()]);
    }
  }, SLOW);

  it('leaves the payment EXPIRED when the withdrawal lands without accept_blame and something is left', async () => {
    expect(acceptsBlame(landed)).toBe(false);
    await stand.ends(landed, 'SUCCESS');
    await stand.reachesStatuses(landing, 'EXPIRED', 'EXPIRED');
    const { withdrawals, issues } = await stand.show(landing);
    expect(withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
    expect(issues).toContainEqual(
      expect.objectContaining({ kind: 'parked_fund', token: there.token('USDC') }),
    );
  });

  it('leaves the payment EXPIRED when the withdrawal expires', async () => {
    await stand.ends(expired, 'EXPIRED');
    expect((await stand.confirm(expired, 0)).status).toBe(400);
    await stand.reachesStatuses(expiring, 'EXPIRED', 'EXPIRED');
    expect((await stand.show(expiring)).withdrawals).toMatchObject([{ status: 'EXPIRED' }]);
  });
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
      expect(await stand.withParked(stuck, 'STUCK')).toMatchObject({ status: 'FAILED' });
      await webhooks.waitFor(idOf(stuck), 'FAILED');
    },
    SLOW,
  );

  it('leaves it FAILED after its owner has taken a part, and WITHDRAWN after the rest', async () => {
    const before = await stand.show(stuck);
    const { completed_at } = await takePart({ stage, stand }, stuck, 'FAILED');
    expect(completed_at).toBe(before.completed_at);
    await takeAll({ stage, stand }, stuck);
    expect(stage.webhooks.statusesOf(idOf(stuck))).toEqual(['FAILED']);
  });
});
