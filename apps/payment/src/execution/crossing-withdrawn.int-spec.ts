import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { BETA_USDC, CHAINS, confirmCrossing, fill } from '../testing/crossing.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const AMOUNT = 20n * ONE_USDC;
const FIRST = 10n ** 11n;

describe('a withdrawal from a cross-chain payment', () => {
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_RETRY_MS: '300' }, CHAINS);
  });
  afterEach(async () => {
    await stack.stopServices();
    for (const token of [USDC, BETA_USDC]) await stack.on(token).resumeMining();
  });
  afterAll(() => stack.stop());

  const confirmed = async () => {
    const service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input: USDC, output: BETA_USDC, amount: AMOUNT, owner: owner.address };
    return { owner, payment: await confirmCrossing(stack, service, wish) };
  };
  const neverFailed = async ({ id }: PaymentRecord): Promise<void> => {
    const types = await eventually(async () => {
      const rows = await stack.sql<{ type: string }>(
        `SELECT convert_from(value, 'UTF8')::jsonb->>'type' AS type FROM event_log.records
         WHERE key = $1`,
        [id],
      );
      expect(rows).toContainEqual({ type: 'payment.withdrawn' });
      return rows.map(({ type }) => type);
    });
    expect(types).not.toContain('payment.failed');
    expect(types).not.toContain('payment.completed');
  };

  it('while the order is open leaves the delivery to the owner', async () => {
    const { payment, owner } = await confirmed();
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    const across = await stack.expectToBecome(payment, { legs: [{ status: 'BRIDGING' }, {}] });
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await withdrawFromOutside(stack, payment, owner, {
      token: USDC,
      amount: ONE_USDC,
      acceptBlame: true,
    });
    await stack.expectToBecome(payment, {
      status: 'EXPIRED',
      withdrawals: [{ status: 'SUCCESS' }],
    });
    expect(await stack.balance(USDC, owner.address)).toBe(ONE_USDC);

    await fill(stack.on(BETA_USDC), across);
    const delivered = BigInt(payment.plan.legs[0]?.bridge?.delivered_amount ?? 0);
    const arrived = await stack.expectToBecome(payment, {
      status: 'EXPIRED',
      legs: [{ status: 'COMPLETE' }, { status: 'PENDING', dueAt: null }],
    });
    expect(issuesOf(arrived, () => aPolicy, new Date())).toMatchObject([
      { classification: 'STUCK', token: BETA_USDC, balance: { '#': delivered.toString() } },
    ]);
    await withdrawFromOutside(stack, payment, owner, {
      token: BETA_USDC,
      amount: delivered,
      acceptBlame: true,
    });
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(await stack.balance(BETA_USDC, owner.address)).toBe(delivered);
    expect(await stack.balance(BETA_USDC, payment.destinationAddress)).toBe(0n);
    await neverFailed(payment);
  });

  it.each([
    ['first', USDC],
    ['second', BETA_USDC],
  ])(
    'mined before a sent %s leg makes the leg revert without failing the payment',
    async (which, token) => {
      const { payment, owner } = await confirmed();
      const isFirst = which === 'first';
      const chain = stack.on(token);
      const held = isFirst ? AMOUNT : BigInt(payment.plan.legs[0]?.bridge?.delivered_amount ?? 0);
      // Mine the leg's input and nothing after it, so that the leg waits in the mempool.
      await stack.send(USDC, payment.walletAddress, AMOUNT / 2n);
      await stack.expectToBecome(payment, { funded: true });
      if (isFirst) {
        await chain.stopMining();
        await chain.submit(USDC, payment.walletAddress, AMOUNT / 2n);
      } else {
        await stack.send(USDC, payment.walletAddress, AMOUNT / 2n);
        const across = await stack.expectToBecome(payment, { legs: [{ status: 'BRIDGING' }, {}] });
        await chain.stopMining();
        await fill(chain, across);
      }
      await chain.node.mine({ blocks: 1 });
      // Sent, since a leg has no transaction before.
      const executing = { status: 'EXECUTING', transactionHash: expect.any(String) };
      await stack.expectToBecome(payment, { legs: isFirst ? [executing, {}] : [{}, executing] });
      await withdrawFromOutside(stack, payment, owner, {
        token,
        amount: held,
        acceptBlame: true,
        priorityFee: FIRST,
      });
      await chain.node.mine({ blocks: 1 });
      await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
      expect(await chain.balance(token, owner.address)).toBe(held);
      await eventually(async () => {
        const sent = await stack.sql<{ status: string }>(
          'SELECT status FROM chain_transactions WHERE reference LIKE $1',
          [`leg:${payment.id}:${isFirst ? 0 : 1}:%`],
        );
        expect(sent).toEqual([{ status: 'reverted' }]);
      });
      expect((await stack.read(payment.id)).status).toBe('WITHDRAWN');
      await neverFailed(payment);
    },
  );
});
