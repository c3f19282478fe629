import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultPoint } from '@bascule/process';
import { eventually, FaultTrap } from '@bascule/testing';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { BETA_USDC, CHAINS, confirmCrossing, fill } from '../testing/crossing.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const fault = new FaultTrap();
const AMOUNT = 100_000_000n;

// The first pass of a point is before its commit, the second one after it, where there are two.
const MOMENTS: [FaultPoint, number][] = [
  ['payment.deposit-seen', 1],
  ['payment.deposit-seen', 2],
  ['payment.funded', 1],
  ['payment.funded', 2],
  ['payment.leg-planned', 1],
  ['payment.leg-planned', 2],
  ['transactions.recorded', 1],
  ['transactions.broadcast', 1],
  ['payment.leg-settled', 1],
  ['payment.leg-settled', 2],
  ['payment.completed', 1],
  ['payment.completed', 2],
];

/** Counts the published completions once the relay has published everything. */
const completedEvents = async (stack: PaymentStack, { id }: PaymentRecord): Promise<number> => {
  await eventually(async () => {
    expect(await stack.sql('SELECT id FROM outbox')).toEqual([]);
  });
  const events = await stack.sql<{ type: string }>(
    `SELECT convert_from(value, 'UTF8')::jsonb->>'type' AS type FROM event_log.records
     WHERE key = $1`,
    [id],
  );
  return events.filter(({ type }) => type === 'payment.completed').length;
};

describe('a process that crashes', () => {
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start();
  });
  afterEach(async () => {
    fault.disarm();
    await stack.stopServices();
  });
  afterAll(() => stack.stop());

  it.each(MOMENTS)(
    'at %s, pass %i, leaves a payment that the next process completes once',
    async (point, pass) => {
      const dying = await stack.startProcess();
      const payment = await stack.confirm(dying, { input: USDC, output: WETH, amount: AMOUNT });
      const death = fault.arm(point, pass);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await death;
      await stack.stopProcess(dying);
      fault.disarm();
      await stack.letLeasesRunOut();

      await stack.startProcess();
      const after = await eventually(async () => {
        const now = await stack.read(payment.id);
        expect(now.status).toBe('COMPLETE');
        return now;
      });
      const paidOut = await stack.balance(WETH, payment.destinationAddress);
      expect(after.legs[0]?.settlement?.output).toBe(paidOut);
      expect(after.deposits).toHaveLength(1);
      expect(await stack.balance(USDC, payment.walletAddress)).toBe(0n);
      expect(await completedEvents(stack, payment)).toBe(1);
    },
  );
});

// Whether the solver has filled the order by then; the second leg is planned in the third and fourth pass.
const CROSSING_MOMENTS: [FaultPoint, number, boolean][] = [
  ['payment.leg-bridged', 1, false],
  ['payment.leg-bridged', 2, false],
  ['payment.leg-filled', 1, true],
  ['payment.leg-filled', 2, true],
  ['payment.leg-planned', 3, true],
  ['payment.leg-planned', 4, true],
];

describe('a process that crashes during a cross-chain payment', () => {
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start({}, CHAINS);
  });
  afterEach(async () => {
    fault.disarm();
    await stack.stopServices();
  });
  afterAll(() => stack.stop());

  it.each(CROSSING_MOMENTS)(
    'at %s, pass %i, leaves a payment that the next process completes once',
    async (point, pass, isFilled) => {
      const filled = async (payment: PaymentRecord): Promise<void> => {
        const across = await eventually(async () => {
          const now = await stack.read(payment.id);
          expect(now.legs[0]?.status).toBe('BRIDGING');
          return now;
        });
        await fill(stack.on(BETA_USDC), across);
      };
      const dying = await stack.startProcess();
      const wish = { input: USDC, output: BETA_USDC, amount: AMOUNT };
      const payment = await confirmCrossing(stack, dying, wish);
      const death = fault.arm(point, pass);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      if (isFilled) await filled(payment);
      await death;
      await stack.stopProcess(dying);
      fault.disarm();
      await stack.letLeasesRunOut();

      await stack.startProcess();
      if (!isFilled) await filled(payment);
      const after = await eventually(async () => {
        const now = await stack.read(payment.id);
        expect(now.status).toBe('COMPLETE');
        return now;
      });
      const paidOut = await stack.balance(BETA_USDC, payment.destinationAddress);
      expect(after.legs[1]?.settlement?.output).toBe(paidOut);
      for (const token of [USDC, BETA_USDC]) {
        expect(await stack.balance(token, payment.walletAddress)).toBe(0n);
      }
      expect(await completedEvents(stack, payment)).toBe(1);
    },
  );
});
