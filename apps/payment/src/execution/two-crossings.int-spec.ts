import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { parseDeclaration } from '@bascule/solidity';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { fulfilledRoute } from '../life-cycle/fulfilled.js';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { FEE_RECEIVER, USDC, WETH } from '../testing/a-quote.fixture.js';
import {
  alignClocks,
  BETA_USDC,
  closeWindow,
  fill,
  orderOf,
  refundFromOutside,
  SECOND_FEE,
} from '../testing/crossing.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { NATIVE, onChain, PaymentStack } from '../testing/payment-stack.fixture.js';
import { confirmTwoCrossings, DELTA_USDC, THREE_CHAINS } from '../testing/two-crossings.fixture.js';

const TOKENS = THREE_CHAINS.flatMap((chain) =>
  [USDC, WETH, NATIVE].map((token) => onChain(chain, token)),
);
const DOLLARS = [USDC, BETA_USDC, DELTA_USDC];

describe('a payment over two bridges', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_RETRY_MS: '300' }, THREE_CHAINS);
  });
  afterEach(async () => {
    stack.solver.answers = 'quotes';
    await stack.stopServices();
    await alignClocks(stack, DOLLARS);
  });
  afterAll(() => stack.stop());

  const funded = async (input: TokenIdentifier, output: TokenIdentifier, amount: bigint) => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input, output, amount, fee: amount / 100n, owner: owner.address };
    const payment = await confirmTwoCrossings(stack, service, wish);
    await stack.send(input, payment.walletAddress, amount);
    return { payment, owner };
  };
  const first = { status: 'BRIDGING', transfer: { status: 'OPEN' } };
  /** Fills the first order, and waits until the second one is open. */
  const onSecond = async (payment: PaymentRecord): Promise<PaymentRecord> => {
    await fill(stack.on(BETA_USDC), await stack.expectToBecome(payment, { legs: [first, {}, {}] }));
    return stack.expectToBecome(payment, { legs: [{ status: 'COMPLETE' }, first, {}] });
  };
  const heldByWallet = async ({ walletAddress }: PaymentRecord) =>
    Promise.all(TOKENS.map((token) => stack.balance(token, walletAddress)));

  it.each([
    ['in one token', USDC, DELTA_USDC, 100_000_000n],
    ['converted on the first and the last chain', WETH, onChain('deltanet', NATIVE), 10n ** 17n],
  ])('pays out what the second solver delivers, %s', async (_, input, output, amount) => {
    const fees = await stack.balance(DELTA_USDC, FEE_RECEIVER);
    const { payment } = await funded(input, output, amount);
    const { legs } = parseDeclaration(payment.declaration);
    expect(legs.map(({ chainId }) => chainId)).toEqual([31_337n, 31_338n, 31_339n]);

    const across = await onSecond(payment);
    expect(orderOf(across, 1)).toMatchObject({
      originChainId: 31_338n,
      destinationChainId: 31_339n,
      inputAmount: BigInt(payment.plan.legs[1]?.output_amount ?? 0),
    });
    const filled = await fill(stack.on(DELTA_USDC), across, 1);
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const paid = await stack.balance(output, payment.destinationAddress);
    expect(paid).toBeGreaterThanOrEqual(BigInt(payment.plan.legs[2]?.min_output ?? 0));
    expect(after.legs).toMatchObject([
      { status: 'COMPLETE', transfer: { status: 'FILLED' } },
      { status: 'COMPLETE', transfer: { status: 'FILLED', filled: { transactionHash: filled } } },
      { status: 'COMPLETE', settlement: { fees: [SECOND_FEE], output: paid } },
    ]);
    const route = fulfilledRoute(after);
    expect(route.map(({ status }) => status)).toEqual(Array(4).fill('COMPLETE'));
    expect(new Set(route.map(({ transaction_hash }) => transaction_hash)).size).toBe(4);
    expect(route.at(-1)?.net_effect.produce[0]).toMatchObject({
      account: 'DEST',
      resource: { asset: output },
    });
    expect(await heldByWallet(payment)).toEqual(TOKENS.map(() => 0n));
    expect(await stack.balance(DELTA_USDC, FEE_RECEIVER)).toBe(fees + SECOND_FEE);
    expect(issuesOf(after, () => aPolicy, new Date())).toEqual([]);
  });

  it('is refunded on the second chain when its second order stays unfilled', async () => {
    const { payment, owner } = await funded(USDC, DELTA_USDC, 20_000_000n);
    const across = await onSecond(payment);
    await closeWindow(stack, across, { legIndex: 1, tokens: DOLLARS });
    const failed = await stack.expectToBecome(payment, {
      status: 'FAILED',
      legs: [
        { status: 'COMPLETE' },
        { status: 'FAILED', transfer: { status: 'UNFILLED' }, failure: { reason: 'bridge' } },
        { status: 'UNREACHABLE' },
      ],
    });
    const { inputAmount } = orderOf(across, 1);
    expect(issuesOf(failed, () => aPolicy, new Date())).toMatchObject([
      {
        classification: 'STUCK',
        token: BETA_USDC,
        balance: { '#': inputAmount.toString() },
        withdraw_from: { withdraw_account: 'INTENT' },
      },
    ]);
    expect(fulfilledRoute(failed).map(({ status }) => status)).toEqual([
      'COMPLETE',
      'COMPLETE',
      'FAILED',
      'UNREACHABLE',
    ]);
    const hash = await refundFromOutside(stack.on(BETA_USDC), across, owner, 1);
    expect(await stack.balance(BETA_USDC, owner.address)).toBe(inputAmount);
    await stack.sql('UPDATE legs SET due_at = now() WHERE payment_id = $1', [payment.id]);
    await stack.expectToBecome(payment, {
      status: 'WITHDRAWN',
      withdrawals: [{ status: 'SUCCESS', transactionHash: hash, recipientAddress: owner.address }],
    });
  });

  it('is withdrawn on the chain between when its second bridge refuses', async () => {
    const { payment, owner } = await funded(USDC, DELTA_USDC, 20_000_000n);
    const across = await stack.expectToBecome(payment, { legs: [first, {}, {}] });
    stack.solver.answers = 'refusals';
    await fill(stack.on(BETA_USDC), across);
    await stack.expectToBecome(payment, {
      legs: [{ status: 'COMPLETE' }, { status: 'ATTEMPT_FAILED' }, {}],
    });
    const delivered = BigInt(payment.plan.legs[0]?.bridge?.delivered_amount ?? 0);
    expect(await stack.balance(BETA_USDC, payment.walletAddress)).toBe(delivered);
    await withdrawFromOutside(stack, payment, owner, {
      token: BETA_USDC,
      amount: delivered,
      acceptBlame: true,
    });
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(await stack.balance(BETA_USDC, owner.address)).toBe(delivered);
    expect(await stack.balance(DELTA_USDC, payment.destinationAddress)).toBe(0n);
  });
});
