import type { Pause } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import {
  alignClocks,
  BETA_USDC,
  CHAINS,
  closeWindow,
  confirmCrossing,
  fill,
  orderOf,
} from '../testing/crossing.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { SimulatedAttesters } from '../testing/simulated-attesters.fixture.js';
import { expectHeld, SwitchesFeed } from '../testing/switches-feed.fixture.js';

type Switch = Pick<Pause, 'kind' | 'subject'>;

const AMOUNT = 20_000_000n;
const BRIDGE: Switch = { kind: 'bridge', subject: 'intent_escrow' };
const ORIGIN: Switch = { kind: 'chain', subject: 'alphanet' };
const DESTINATION: Switch = { kind: 'chain', subject: 'betanet' };
const EXECUTION: Switch = { kind: 'execution', subject: null };
/** As many failed attempts as end the retries of a leg that has failed for long. */
const TRIES = 5;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

describe('a cross-chain payment while an operator has paused something', () => {
  let stack: PaymentStack;
  let attesters: SimulatedAttesters;
  let service: RunningService;
  const feed = new SwitchesFeed('test');

  beforeAll(async () => {
    attesters = await SimulatedAttesters.start();
    stack = await PaymentStack.start(
      {
        EXECUTION_RETRY_MS: '300',
        // Longer than a test, so that only changed times end the retries.
        EXECUTION_PATIENCE_MS: '3600000',
        ATTESTER_URLS: attesters.urls,
      },
      CHAINS,
    );
  });
  beforeEach(async () => {
    service = await stack.startProcess();
  });
  afterEach(async () => {
    stack.solver.answers = 'quotes';
    await feed.set([service]);
    await stack.stopServices();
    await alignClocks(stack);
  });
  afterAll(async () => {
    await stack.stop();
    await attesters.stop();
  });

  /** Leaves exactly these switches on, and makes the legs due that waited for others. */
  const pauseOnly = async (...thrown: readonly Switch[]): Promise<void> => {
    await feed.set([service], ...thrown);
    await stack.sql('UPDATE legs SET due_at = now() WHERE due_at > now()');
  };
  const funded = async (): Promise<PaymentRecord> => {
    const wish = { input: USDC, output: BETA_USDC, amount: AMOUNT };
    const payment = await confirmCrossing(stack, service, wish);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return payment;
  };
  const bridging = (payment: PaymentRecord) =>
    stack.expectToBecome(payment, {
      legs: [{ status: 'BRIDGING', transfer: { status: 'OPEN' } }, {}],
    });
  const transactionsOf = ({ id }: PaymentRecord) =>
    stack.sql('SELECT 1 FROM chain_transactions WHERE reference LIKE $1', [`leg:${id}:%`]);

  it.each([BRIDGE, DESTINATION])(
    'enters no bridge while $kind $subject is paused, and completes after the resume',
    async (thrown) => {
      await pauseOnly(thrown);
      const payment = await funded();
      await expectHeld(stack, payment, `${thrown.kind} ${thrown.subject}`);
      expect(await stack.read(payment.id)).toMatchObject({
        status: 'PENDING',
        legs: [{ status: 'PENDING', attempts: 0, failure: null }, {}],
      });
      expect(await transactionsOf(payment)).toEqual([]);
      expect(await stack.balance(USDC, payment.walletAddress)).toBe(AMOUNT);
      await pauseOnly();
      await fill(stack.on(BETA_USDC), await bridging(payment));
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
      expect(await transactionsOf(payment)).toHaveLength(2);
    },
  );

  it('is followed through the bridge whatever is paused, and is paid out once its destination is open', async () => {
    const payment = await funded();
    const across = await bridging(payment);
    await pauseOnly(EXECUTION, BRIDGE, ORIGIN, DESTINATION);
    await fill(stack.on(BETA_USDC), across);
    await stack.expectToBecome(payment, {
      status: 'PENDING',
      legs: [{ status: 'COMPLETE', transfer: { status: 'FILLED' } }, { status: 'PENDING' }],
    });
    await expectHeld(stack, payment, 'execution');
    expect(await transactionsOf(payment)).toHaveLength(1);
    // What has left the bridge needs neither it nor the origin.
    await pauseOnly(BRIDGE, ORIGIN);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('counts no failed attempts before a pause against the retries after it', async () => {
    stack.solver.answers = 'refusals';
    const payment = await funded();
    const failure = async () => (await stack.read(payment.id)).legs[0]?.failure;
    await eventually(async () => expect((await failure())?.tries).toBeGreaterThanOrEqual(TRIES), {
      timeoutMs: 60_000,
    });
    await pauseOnly(EXECUTION);
    await expectHeld(stack, payment, 'execution');
    // Any time that is still counted is older than the pause, and longer than the retries.
    await stack.sql(
      `UPDATE legs SET failure = jsonb_set(failure, '{since}', to_jsonb($2::text))
       WHERE payment_id = $1 AND failure ? 'since'`,
      [payment.id, LONG_AGO],
    );
    await pauseOnly();
    await eventually(
      async () => {
        const now = await failure();
        expect([undefined, LONG_AGO]).not.toContain(now?.since);
        expect(now?.reason).toBe('bridge');
      },
      { timeoutMs: 60_000 },
    );
    stack.solver.answers = 'quotes';
    await fill(stack.on(BETA_USDC), await bridging(payment));
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('is refunded to its wallet where it is not delivered, whatever is paused', async () => {
    const payment = await funded();
    const across = await bridging(payment);
    await pauseOnly(EXECUTION, BRIDGE, ORIGIN, DESTINATION);
    await closeWindow(stack, across);
    await stack.expectToBecome(payment, {
      status: 'FAILED',
      legs: [{ status: 'FAILED', transfer: { status: 'REFUNDED' } }, { status: 'UNREACHABLE' }],
    });
    const { inputAmount } = orderOf(across);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(inputAmount);
  });
});
