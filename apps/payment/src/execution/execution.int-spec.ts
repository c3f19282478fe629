import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { FEE_RECEIVER, USDC, USDT, WETH } from '../testing/a-quote.fixture.js';
import { NATIVE, PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const ONE_ETHER = 10n ** 18n;

describe('the execution of a funded payment', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_PATIENCE_MS: '1500', EXECUTION_RETRY_MS: '300' });
  });
  afterEach(() => stack.stopServices());
  afterAll(() => stack.stop());

  const ended = (payment: PaymentRecord) =>
    eventually(async () => {
      const now = await stack.read(payment.id);
      if (now.status === 'PENDING') throw new Error('still pending');
      return now;
    });

  it.each([
    ['a token for another', USDC, WETH, 100n * ONE_USDC],
    ['a token that returns nothing from transfer', USDT, USDC, 100n * ONE_USDC],
    ['a token for native currency', USDC, NATIVE, 100n * ONE_USDC],
    ['native currency for a token', NATIVE, USDC, ONE_ETHER / 10n],
    ['native currency for its wrapped form', NATIVE, WETH, ONE_ETHER / 10n],
    ['a token as it is', USDC, USDC, 100n * ONE_USDC],
    ['native currency as it is', NATIVE, NATIVE, ONE_ETHER / 10n],
  ])('pays out %s, equal to the last unit on chain', async (_, input, output, amount) => {
    service = await stack.startProcess();
    const fee = amount / 100n;
    const feesBefore = await stack.balance(input, FEE_RECEIVER);
    const payment = await stack.confirm(service, { input, output, amount, fee });
    await stack.send(input, payment.walletAddress, amount);

    const after = await ended(payment);
    expect(after.status).toBe('COMPLETE');
    const paidOut = await stack.balance(output, payment.destinationAddress);
    expect(paidOut).toBeGreaterThanOrEqual(BigInt(payment.plan.legs[0]?.min_output ?? 0));
    expect(after.legs[0]).toMatchObject({
      status: 'COMPLETE',
      attempts: 1,
      settlement: { input: amount - fee, fees: [fee], output: paidOut },
    });
    expect(await stack.balance(input, payment.walletAddress)).toBe(0n);
    expect(await stack.balance(input, FEE_RECEIVER)).toBe(feesBefore + fee);
    const hash = after.legs[0]?.transactionHash as `0x${string}`;
    expect((await stack.node.getTransactionReceipt({ hash })).status).toBe('success');
  });

  it('pays out once when two processes run', async () => {
    service = await stack.startProcess();
    await stack.startProcess();
    const wish = { input: USDC, output: USDC, amount: 5n * ONE_USDC };
    const payments = await Promise.all([1, 2, 3].map(() => stack.confirm(service, wish)));
    for (const payment of payments) await stack.send(USDC, payment.walletAddress, wish.amount);
    for (const payment of payments) {
      expect((await ended(payment)).status).toBe('COMPLETE');
      expect(await stack.balance(USDC, payment.destinationAddress)).toBe(wish.amount);
    }
    const sent = await stack.sql<{ status: string }>(
      `SELECT status FROM chain_transactions WHERE reference LIKE ANY($1)`,
      [payments.map(({ id }) => `leg:${id}:%`)],
    );
    expect(sent.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
  });

  it('takes deposits up to the maximum and leaves the rest', async () => {
    service = await stack.startProcess();
    const required = 100n * ONE_USDC;
    const payment = await stack.confirm(service, {
      input: USDC,
      output: USDC,
      amount: required,
      maxInput: 105n * ONE_USDC,
      minOutput: required,
    });
    await stack.send(USDC, payment.walletAddress, 107n * ONE_USDC);
    expect((await ended(payment)).status).toBe('COMPLETE');
    expect(await stack.balance(USDC, payment.destinationAddress)).toBe(105n * ONE_USDC);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(2n * ONE_USDC);
  });

  it('fails when no route meets the minimum within the retry period, and keeps the funds', async () => {
    service = await stack.startProcess();
    const amount = 100n * ONE_USDC;
    const quoted = await stack.quote(USDC, WETH, amount);
    const payment = await stack.confirm(service, {
      input: USDC,
      output: WETH,
      amount,
      minOutput: quoted * 2n,
    });
    await stack.send(USDC, payment.walletAddress, amount);
    await eventually(async () => {
      expect((await stack.read(payment.id)).legs[0]?.status).toBe('ATTEMPT_FAILED');
    });
    const after = await ended(payment);
    expect(after.status).toBe('FAILED');
    expect(after.legs[0]).toMatchObject({ status: 'FAILED', failure: { reason: 'slippage' } });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(amount);
  });
});
