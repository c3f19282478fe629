import type { Pause } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { expectHeld, SwitchesFeed } from '../testing/switches-feed.fixture.js';

const ONE_USDC = 1_000_000n;
const AMOUNT = 5n * ONE_USDC;

interface Wish {
  output?: typeof USDC;
  minOutput?: bigint;
  executionWindowMs?: number;
  expirationSeconds?: number;
}

describe('legs while an operator has paused something', () => {
  let stack: PaymentStack;
  let services: RunningService[];
  const feed = new SwitchesFeed('test');

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_PATIENCE_MS: '1500', EXECUTION_RETRY_MS: '300' });
  });
  beforeEach(async () => {
    services = [await stack.startProcess(), await stack.startProcess()];
  });
  afterEach(async () => {
    await feed.set(services);
    await stack.stopServices();
  });
  afterAll(() => stack.stop());

  const pause = (kind: Pause['kind'], subject: string | null = null) =>
    feed.set(services, { kind, subject });
  function confirmed({ output = USDC, ...rest }: Wish = {}): Promise<PaymentRecord> {
    const [service] = services;
    if (service === undefined) throw new Error('no process runs');
    return stack.confirm(service, { input: USDC, output, amount: AMOUNT, ...rest });
  }
  async function funded(wish: Wish = {}): Promise<PaymentRecord> {
    const payment = await confirmed(wish);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return payment;
  }
  const sent = async (payments: readonly PaymentRecord[]): Promise<number> => {
    const [row] = await stack.sql<{ count: string }>(
      'SELECT count(*) FROM chain_transactions WHERE reference LIKE ANY($1)',
      [payments.map(({ id }) => `leg:${id}:%`)],
    );
    return Number(row?.count);
  };
  const isHeld = (payment: PaymentRecord, name: string) => expectHeld(stack, payment, name);
  const letLegsBeDue = () => stack.sql('UPDATE legs SET due_at = now() WHERE due_at > now()');
  const complete = (payment: PaymentRecord) =>
    eventually(
      async () => {
        await letLegsBeDue();
        expect(await stack.read(payment.id)).toMatchObject({ status: 'COMPLETE' });
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    );

  it.each([
    ['execution', null],
    ['chain', 'alphanet'],
  ] as const)(
    'waits in both processes while a switch of %s (%s) is on, records deposits, and completes each payment after the resume',
    async (kind, subject) => {
      const running = [await funded(), await funded()];
      await pause(kind, subject);
      const payments = [await funded(), await funded(), await funded()];
      for (const payment of payments) await isHeld(payment, subject ? `${kind} ${subject}` : kind);
      expect(await sent(payments)).toBe(0);
      for (const { id } of payments) {
        const now = await stack.read(id);
        expect(now).toMatchObject({
          status: 'PENDING',
          legs: [{ status: 'PENDING', attempts: 0 }],
        });
        expect(now.fundedInFullAt).not.toBeNull();
      }
      await feed.set(services);
      for (const payment of [...running, ...payments]) await complete(payment);
      expect(await sent(payments)).toBe(payments.length);
    },
  );

  it('is due again within ten seconds while it waits, well before its lease ends', async () => {
    await pause('execution');
    const payment = await funded();
    await eventually(
      async () => {
        const rows: unknown[] = await stack.sql(
          `SELECT 1 FROM legs JOIN timeline_entries USING (payment_id)
           WHERE payment_id = $1 AND type = 'leg.waiting' AND due_at < recorded_at + interval '10 s'`,
          [payment.id],
        );
        expect(rows).not.toEqual([]);
      },
      { timeoutMs: 60_000 },
    );
  });

  it('ignores switches of other chains, providers and organisations, and paused confirms', async () => {
    const others = [
      { kind: 'chain', subject: 'betanet' },
      { kind: 'provider', subject: 'swiftramp' },
      { kind: 'bridge', subject: 'intent_escrow' },
      { kind: 'confirms', subject: null },
    ] as const;
    await feed.set(services, ...others, { kind: 'venue', subject: 'uniswap_v3' });
    const payment = await funded();
    await feed.set(services, ...others, { kind: 'organisation', subject: payment.orgId });
    await complete(payment);
    expect(await sent([payment])).toBe(1);
  });

  it('waits for a paused venue where no other one converts, without a failed attempt', async () => {
    await pause('venue', 'uniswap_v3');
    const payment = await funded({ output: WETH });
    await isHeld(payment, 'venue uniswap_v3');
    expect(await stack.read(payment.id)).toMatchObject({
      status: 'PENDING',
      legs: [{ status: 'PENDING', failure: null }],
    });
    await feed.set(services);
    await complete(payment);
  });

  it('waits for no paused venue that could not convert the leg', async () => {
    await pause('venue', 'wrapped_native');
    const payment = await funded({ output: WETH, minOutput: 10n ** 30n });
    const failed = await eventually(
      async () => {
        await letLegsBeDue();
        const now = await stack.read(payment.id);
        expect(now.status).toBe('FAILED');
        return now;
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    );
    expect(failed.legs[0]?.failure).toMatchObject({ reason: 'slippage' });
  });

  /** Lets the declarations expire on the chain, seen by the scanner. */
  async function expire(payments: readonly PaymentRecord[]): Promise<void> {
    const expiry = Math.max(...payments.map((each) => each.declarationExpiresAt.getTime()));
    await stack.node.increaseTime({ seconds: Math.ceil((expiry - Date.now()) / 1000) + 60 });
    const confirmedUpTo = async () => {
      const [row] = await stack.sql<{ at: Date }>(
        `SELECT confirmed_block_timestamp AS at FROM chain_cursors WHERE chain = 'alphanet'`,
      );
      return row?.at.getTime() ?? 0;
    };
    await eventually(async () => expect(await confirmedUpTo()).toBeGreaterThan(expiry), {
      timeoutMs: 60_000,
    });
  }
  const checkNow = (...payments: readonly PaymentRecord[]) =>
    stack.sql('UPDATE payments SET due_at = now() WHERE id = ANY($1)', [
      payments.map(({ id }) => id),
    ]);
  /** Waits until the check of a held payment has put it off. */
  const isPutOff = ({ id }: PaymentRecord) =>
    eventually(async () => {
      const [row] = await stack.sql<{ isChecked: boolean }>(
        'SELECT due_at = declaration_expires_at AS "isChecked" FROM payments WHERE id = $1',
        [id],
      );
      expect(row?.isChecked).toBe(true);
    });

  it('fails no funded payment at the end of its declaration while a switch holds it, while an unfunded one expires', async () => {
    await pause('execution');
    const payment = await funded({ executionWindowMs: 0 });
    const unfunded = await confirmed({ executionWindowMs: 0 });
    await isHeld(payment, 'execution');
    await expire([payment, unfunded]);
    await checkNow(payment, unfunded);
    await stack.expectToBecome(unfunded, { status: 'EXPIRED' });
    await isPutOff(payment);
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING' });
    await feed.set(services);
    await checkNow(payment);
    const failed = await stack.expectToBecome(payment, { status: 'FAILED' });
    expect(failed.legs[0]?.failure).toMatchObject({ reason: 'expired' });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(AMOUNT);
  });

  it('holds at their end only the payments that a paused venue could convert', async () => {
    await pause('execution');
    // The chain's time is ahead by the expiry of the test before.
    const wish = { executionWindowMs: 0, expirationSeconds: 86_400 };
    const converting = await funded({ ...wish, output: WETH });
    const transfer = await funded(wish);
    for (const payment of [converting, transfer]) await isHeld(payment, 'execution');
    await expire([converting, transfer]);
    await pause('venue', 'uniswap_v3');
    await checkNow(converting, transfer);
    await stack.expectToBecome(transfer, { status: 'FAILED' });
    await isPutOff(converting);
    expect(await stack.read(converting.id)).toMatchObject({ status: 'PENDING' });
    await pause('venue', 'wrapped_native');
    await checkNow(converting);
    await stack.expectToBecome(converting, { status: 'FAILED' });
  });
});
