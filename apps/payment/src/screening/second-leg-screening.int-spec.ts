import type { RunningService } from '@bascule/service-host';
import { eventually, SanctionedFile } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { BETA_USDC, CHAINS, confirmCrossing, fill } from '../testing/crossing.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;

describe('screening before a leg behind a bridge', () => {
  const file = new SanctionedFile();
  let stack: PaymentStack;
  let service: RunningService;
  beforeAll(async () => {
    stack = await PaymentStack.start(
      { SCREENING_FILE: file.path, EXECUTION_RETRY_MS: '300' },
      CHAINS,
    );
    service = await stack.startProcess();
  });
  beforeEach(() => file.list());
  afterAll(async () => {
    await stack.stop();
    file.remove();
  });

  /** A payment whose money is in the bridge. */
  const bridging = async (): Promise<PaymentRecord> => {
    const owner = privateKeyToAddress(generatePrivateKey());
    const wish = { input: USDC, output: BETA_USDC, amount: AMOUNT, fee: AMOUNT / 100n, owner };
    const payment = await confirmCrossing(stack, service, wish);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return stack.expectToBecome(payment, {
      legs: [{ status: 'BRIDGING', transfer: { status: 'OPEN' } }, {}],
    });
  };
  const delivered = ({ plan }: PaymentRecord) =>
    BigInt(plan.legs[0]?.bridge?.delivered_amount ?? 0);
  const expectNotPaidOut = async (payment: PaymentRecord): Promise<void> => {
    expect(await stack.balance(BETA_USDC, payment.walletAddress)).toBe(delivered(payment));
    expect(await stack.balance(BETA_USDC, payment.destinationAddress)).toBe(0n);
  };

  it('taints the payment when its destination was sanctioned while the money was in the bridge', async () => {
    const payment = await bridging();
    file.list(payment.destinationAddress);
    await fill(stack.on(BETA_USDC), payment);
    // The money that arrives taints the payment; the bridge's report ends the leg, before or after that.
    await stack.expectToBecome(payment, {
      status: 'TAINTED',
      taintedBy: 'destination',
      legs: [{ status: 'COMPLETE' }, { status: 'PENDING', attempts: 0 }],
    });
    await expectNotPaidOut(payment);
  });

  it('waits while the source is unavailable, and pays out afterwards', async () => {
    const payment = await bridging();
    file.takeAway();
    await fill(stack.on(BETA_USDC), payment);
    await eventually(async () => {
      const waits = await stack.sql(
        `SELECT 1 FROM timeline_entries WHERE payment_id = $1 AND type = 'leg.waiting'
         AND facts->>'leg' = '1' AND facts->>'reason' = 'screening unavailable'`,
        [payment.id],
      );
      expect(waits).not.toEqual([]);
    });
    await expectNotPaidOut(payment);
    file.list();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });
});
