import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { USDC } from '../testing/a-quote.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const AMOUNT = 100n * ONE_USDC;

describe('a withdrawal that a third party submits', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_RETRY_MS: '300' });
  });
  afterEach(async () => {
    await stack.stopServices();
    await stack.resumeMining();
  });
  afterAll(() => stack.stop());

  it('ends the payment as withdrawn when it takes all funds', async () => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input: USDC, output: USDC, amount: AMOUNT, owner: owner.address };
    const payment = await stack.confirm(service, wish);
    await stack.send(USDC, payment.walletAddress, 40n * ONE_USDC);
    await stack.expectToBecome(payment, { funded: true });
    const { withdrawId, hash } = await withdrawFromOutside(stack, payment, owner, {
      token: USDC,
      amount: 40n * ONE_USDC,
      acceptBlame: true,
    });
    const now = await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(now.withdrawals).toMatchObject([
      { withdrawId, status: 'SUCCESS', mined: { transactionHash: hash, remaining: [] } },
    ]);
    expect(await stack.balance(USDC, owner.address)).toBe(40n * ONE_USDC);
  });

  it('leaves the payment open with the remaining funds', async () => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input: USDC, output: USDC, amount: AMOUNT, owner: owner.address };
    const payment = await stack.confirm(service, wish);
    await stack.send(USDC, payment.walletAddress, 40n * ONE_USDC);
    await stack.expectToBecome(payment, { funded: true });
    await withdrawFromOutside(stack, payment, owner, {
      token: USDC,
      amount: 30n * ONE_USDC,
      acceptBlame: false,
    });
    const now = await stack.expectToBecome(payment, {
      status: 'PENDING',
      withdrawals: [{ status: 'SUCCESS' }],
    });
    expect(now.withdrawals[0]?.mined?.remaining.map(({ amount }) => amount)).toEqual([
      10n * ONE_USDC,
    ]);
    await stack.send(USDC, payment.walletAddress, 90n * ONE_USDC);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await stack.balance(USDC, payment.destinationAddress)).toBe(AMOUNT);
  });

  it('mined before a sent leg makes the leg revert without failing the payment', async () => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input: USDC, output: USDC, amount: AMOUNT, owner: owner.address };
    const payment = await stack.confirm(service, wish);
    await stack.send(USDC, payment.walletAddress, 60n * ONE_USDC);
    await stack.expectToBecome(payment, { funded: true });
    const sent = stack.send(USDC, payment.walletAddress, 40n * ONE_USDC);
    await sent;
    await stack.stopMining();
    // Sent, since a leg has no transaction before.
    const sentLeg = { status: 'EXECUTING', transactionHash: expect.any(String) };
    await stack.expectToBecome(payment, { legs: [sentLeg] });
    await withdrawFromOutside(stack, payment, owner, {
      token: USDC,
      amount: AMOUNT,
      acceptBlame: true,
      priorityFee: 10n ** 11n,
    });
    await stack.node.mine({ blocks: 1 });
    const now = await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(now.legs[0]?.settlement).toBeNull();
    expect(await stack.balance(USDC, owner.address)).toBe(AMOUNT);
    expect(await stack.balance(USDC, payment.destinationAddress)).toBe(0n);
    await eventually(async () => {
      const [transaction] = await stack.sql<{ status: string }>(
        `SELECT status FROM chain_transactions WHERE reference LIKE $1`,
        [`leg:${payment.id}:%`],
      );
      expect(transaction?.status).toBe('reverted');
    });
    expect((await stack.read(payment.id)).status).toBe('WITHDRAWN');
  });
});
