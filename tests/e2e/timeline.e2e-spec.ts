import type { Payment, PaymentTimeline, TimelineEntry } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hash } from 'viem';
import { runOnramp } from '../../tools/first-payment/onramp.js';
import { quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { until } from '../../tools/first-payment/polling.js';
import { requoteUnderpaid } from '../../tools/first-payment/retry.js';
import { finish, fund } from '../../tools/first-payment/swap.js';
import { newTestUserWith, type Stage } from '../../tools/first-payment/test-user.js';
import { parkedBalance, withdraw } from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { deposit, idOf, LifeCycleStand } from './testing/life-cycle-stand.fixture.js';
import { Miner } from './testing/miner.fixture.js';
import { apiOf } from './testing/operators.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { eventsOf, SWAPPED, timelineOf, typesOf } from './testing/timeline.fixture.js';

const WANTED = '25';
const UNDERPAID = [
  'payment.confirmed',
  'deposit.seen',
  'deposit.confirmed',
  'payment.funded_in_part',
];
const MOVED = ['withdrawal.requested', 'withdrawal.submitted', 'withdrawal.mined'];

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('timeline');
  stage = await silentStage(await stack.start());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

/** A swap of which `sent` has arrived so far. */
async function aSwap() {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, WANTED);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: WANTED },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
  });
  const send = async (amount: string) =>
    chain.transfer(user.owner, usdc, depositAddress, await chain.units(usdc, amount));
  return { user, payment, send };
}

const last = ({ entries }: PaymentTimeline): TimelineEntry | undefined => entries.at(-1);

describe('the timeline of a payment', () => {
  it('names the transaction of a withdrawal while no block has it', async () => {
    const stand = new LifeCycleStand(stage);
    const payment = await stand.confirmed(60);
    await deposit(payment, '10');
    await stand.withParked(payment, 'UNDERFUNDED');
    const withdrawal = await stand.signed(payment, payment.on.token('USDC'));
    const miner = new Miner(stage.stack, payment.on.name);
    await miner.standStill();
    try {
      expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
      const sent = await until('the broadcast', async () => {
        const { entries } = await timelineOf(stage.api, idOf(payment));
        return entries.find(({ type }) => type === 'withdrawal.broadcast') ?? null;
      });
      expect(sent).toMatchObject({
        cause: 'service',
        chain: payment.on.name,
        withdraw_account: 'SPW',
        withdraw_id: withdrawal.answer.withdraw_id,
      });
      const hash = sent.transaction_hash as Hash;
      expect((await payment.on.client.getTransaction({ hash })).blockNumber).toBeNull();
      const { withdrawals } = await stand.show(payment);
      expect(withdrawals).toMatchObject([{ status: 'PENDING', transaction_hash: null }]);
    } finally {
      await miner.goOn();
    }
    const { transaction_hash } = await stand.ends(withdrawal, 'SUCCESS');
    const { entries } = await timelineOf(stage.api, idOf(payment));
    const sent = entries.filter(({ type }) => type === 'withdrawal.broadcast');
    expect(sent.map((entry) => entry.transaction_hash)).toContain(transaction_hash);
  });

  it('tells a swap, also to operators', async () => {
    const { user, payment } = await aSwap();
    const { payment_id } = payment;
    expect(await timelineOf(stage.api, payment_id)).toMatchObject({
      waits_for: { kind: 'DEPOSIT', amount: WANTED, until: payment.initiate_fund_by },
    });
    const hash = await fund(stage, user, payment);
    const completed = await finish(stage, payment_id, 'WETH');
    const timeline = await timelineOf(stage.api, payment_id);
    expect(typesOf(timeline)).toEqual(SWAPPED);
    expect(timeline).toMatchObject({ status: 'COMPLETE', waits_for: null });
    expect(timeline.entries.find(({ type }) => type === 'deposit.seen')).toMatchObject({
      chain: 'alphanet',
      transaction_hash: hash,
    });
    expect(timeline.entries.find(({ type }) => type === 'leg.executed')).toMatchObject({
      transaction_hash: completed.fulfilled.route.at(-1)?.transaction_hash,
    });
    const [trace] = timeline.entries.map(({ trace_id }) => trace_id);
    expect(trace).toMatch(/^[0-9a-f]{32}$/);

    const [state, ...entries] = (await stack.operator('payments', 'timeline', payment_id))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(state).toMatchObject({ payment_id, status: 'COMPLETE', waits_for: null });
    expect(entries).toEqual(timeline.entries);
    const text = JSON.stringify(timeline).toLowerCase();
    for (const person of [user.owner.address, user.destination]) {
      expect(text).not.toContain(person.toLowerCase());
    }
  }, 300_000);

  it('tells a purchase with its order at the provider', async () => {
    const { payment_id } = await runOnramp(stage, 'USDC', (quotes) =>
      quotes.find(({ onramp }) => onramp === 'thriftramp'),
    );
    const timeline = await timelineOf(stage.api, payment_id);
    // The provider is polled while its delivery is found on chain.
    const types = typesOf(timeline).filter((type) => type !== 'checkout.reported');
    const [confirmed, ...rest] = SWAPPED;
    expect(types).toEqual([confirmed, 'checkout.requested', 'checkout.opened', ...rest]);
    const reports = timeline.entries.filter(({ type }) => type === 'checkout.reported');
    expect(reports.map(({ provider }) => provider)).toContain('thriftramp');
  }, 300_000);

  const shows = (paymentId: string, types: readonly string[]): Promise<PaymentTimeline> =>
    eventually(
      async () => {
        const found = await timelineOf(stage.api, paymentId);
        expect(typesOf(found)).toEqual(types);
        return found;
      },
      { timeoutMs: 60_000 },
    );

  it('tells a retry to the payment that it retries', async () => {
    const { parent, child } = await requoteUnderpaid(stage);
    const timeline = await timelineOf(stage.api, parent.payment_id);
    expect(eventsOf(timeline)).toEqual([
      ...UNDERPAID,
      'retry.confirmed',
      ...MOVED,
      'payment.status_changed',
    ]);
    expect(timeline.entries[UNDERPAID.length]).toMatchObject({
      retry_payment_id: child.payment_id,
    });
    const retry = await timelineOf(stage.api, child.payment_id);
    expect(typesOf(retry)).toEqual(SWAPPED);
    expect(retry.entries[0]).toMatchObject({ parent_payment_id: parent.payment_id });
  }, 300_000);

  it('tells a withdrawal, and what was waited for before it', async () => {
    const { user, payment, send } = await aSwap();
    const { payment_id } = payment;
    await send('10');
    expect(await shows(payment_id, UNDERPAID)).toMatchObject({
      waits_for: { kind: 'DEPOSIT', amount: '15' },
      funds: [{ place: 'WALLET', amount: '10' }],
    });
    const parked = await parkedBalance(stage.api, payment_id, 'SPW');
    const { transactionHash } = await withdraw(stage.api, user.owner, payment_id, parked);
    await reaches(stage.api, payment_id, 'WITHDRAWN');
    const timeline = await timelineOf(stage.api, payment_id);
    expect(eventsOf(timeline)).toEqual([...UNDERPAID, ...MOVED, 'payment.status_changed']);
    expect(timeline).toMatchObject({ waits_for: null, funds: [] });
    expect(timeline.entries.find(({ type }) => type === 'withdrawal.mined')).toMatchObject({
      transaction_hash: transactionHash,
      withdraw_account: 'SPW',
    });
    expect(last(timeline)).toMatchObject({ status: 'WITHDRAWN' });
  }, 300_000);

  it('keeps a deposit that a reorg removed, and tells the reorg', async () => {
    const { payment, send } = await aSwap();
    const { payment_id } = payment;
    const reorganise = await new Miner(stage.stack, 'alphanet').branchOff();
    await send('10');
    const before = await shows(payment_id, UNDERPAID);
    await reorganise();
    const after = await shows(payment_id, [
      ...UNDERPAID,
      'deposit.reorganised',
      'payment.unfunded',
    ]);
    expect(after.entries.slice(0, before.entries.length)).toEqual(before.entries);
    expect(after).toMatchObject({ funds: [], waits_for: { kind: 'DEPOSIT', amount: WANTED } });
  }, 300_000);

  it('is refused to publishable keys', async () => {
    const { payment } = await aSwap();
    const browser = apiOf(stack, stage.stack.keys.publishable);
    const query = { payment_id: (payment satisfies Payment).payment_id };
    const { status } = await browser.request('GET', '/payments/timeline', { query });
    expect(status).toBe(403);
  });
});
