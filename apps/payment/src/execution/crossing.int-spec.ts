import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { fulfilledRoute } from '../life-cycle/fulfilled.js';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { withdrawalReported } from '../life-cycle/withdrawals.js';
import { reportedWithdrawal } from '../withdrawals/reported-withdrawal.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { FEE_RECEIVER, USDC, WETH } from '../testing/a-quote.fixture.js';
import {
  alignClocks,
  BETA_USDC,
  CHAINS,
  closeWindow,
  confirmCrossing,
  fill,
  orderOf,
  refundFromOutside,
  refundReported,
  SECOND_FEE,
} from '../testing/crossing.fixture.js';
import { ESCROW } from '../testing/a-bridged-payment.fixture.js';
import { NATIVE, onChain, PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
/** Above the `dustUsd` of the policy; a withdrawal costs more at the gas price of the test's chain. */
const aboveDustBelowCost = 60_000n;
const BETA_WETH = onChain('betanet', WETH);
const BETA_NATIVE = onChain('betanet', NATIVE);

describe('a cross-chain payment', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start(
      { EXECUTION_RETRY_MS: '300', TRANSACTION_REPLACE_AFTER_MS: '1000' },
      CHAINS,
    );
  });
  afterEach(async () => {
    stack.solver.answers = 'quotes';
    await stack.stopServices();
    for (const token of [USDC, BETA_USDC]) await stack.on(token).resumeMining();
    await alignClocks(stack);
  });
  afterAll(() => stack.stop());

  const bridging = (payment: PaymentRecord) =>
    stack.expectToBecome(payment, {
      legs: [{ status: 'BRIDGING', transfer: { status: 'OPEN' } }, {}],
    });
  const funded = async (input: TokenIdentifier, output: TokenIdentifier, amount: bigint) => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const wish = { input, output, amount, fee: amount / 100n, owner: owner.address };
    const payment = await confirmCrossing(stack, service, wish);
    await stack.send(input, payment.walletAddress, amount);
    return { payment, owner };
  };
  const eventTypes = async ({ id }: PaymentRecord): Promise<string[]> => {
    const events = await stack.sql<{ type: string }>(
      `SELECT convert_from(value, 'UTF8')::jsonb->>'type' AS type FROM event_log.records
       WHERE key = $1`,
      [id],
    );
    return events.map(({ type }) => type);
  };
  const sentLegs = async ({ id }: PaymentRecord, legIndex: number) =>
    stack.sql<{ status: string; hash: string }>(
      'SELECT status, hash FROM chain_transactions WHERE reference LIKE $1',
      [`leg:${id}:${legIndex}:%`],
    );
  const paidOut = (payment: PaymentRecord, output: TokenIdentifier) =>
    stack.balance(output, payment.destinationAddress);
  const isAtRest = async (payment: PaymentRecord): Promise<void> => {
    for (const token of [USDC, WETH, NATIVE, BETA_USDC, BETA_WETH, BETA_NATIVE]) {
      expect([token, await stack.balance(token, payment.walletAddress)]).toEqual([token, 0n]);
    }
  };

  it.each([
    ['unconverted', USDC, BETA_USDC, 100n * ONE_USDC],
    ['and converts on the destination', USDC, BETA_WETH, 100n * ONE_USDC],
    ['and converts on both chains', WETH, BETA_NATIVE, 10n ** 17n],
  ])('pays out what a solver delivers %s, to the last unit', async (_, input, output, amount) => {
    const before = await stack.balance(USDC, ESCROW);
    const fees = await stack.balance(BETA_USDC, FEE_RECEIVER);
    const { payment } = await funded(input, output, amount);
    const across = await bridging(payment);
    const order = orderOf(across);
    expect(across.legs[0]?.settlement).toMatchObject({
      input: amount - amount / 100n,
      fees: [amount / 100n],
      output: order.inputAmount,
    });
    expect(await stack.balance(USDC, ESCROW)).toBe(before + order.inputAmount);
    await isAtRest(payment);

    const filled = await fill(stack.on(BETA_USDC), across);
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const paid = await paidOut(payment, output);
    const delivered = BigInt(payment.plan.legs[0]?.bridge?.delivered_amount ?? 0);
    expect(paid).toBeGreaterThanOrEqual(BigInt(payment.plan.legs[1]?.min_output ?? 0));
    expect(after.legs).toMatchObject([
      {
        status: 'COMPLETE',
        transfer: { status: 'FILLED', filled: { amount: delivered, transactionHash: filled } },
      },
      {
        status: 'COMPLETE',
        settlement: { input: delivered - SECOND_FEE, fees: [SECOND_FEE], output: paid },
      },
    ]);
    await isAtRest(payment);
    expect(await stack.balance(BETA_USDC, FEE_RECEIVER)).toBe(fees + SECOND_FEE);
    expect(fulfilledRoute(after).map(({ status }) => status)).toEqual(Array(3).fill('COMPLETE'));
    expect(issuesOf(after, () => aPolicy, new Date())).toEqual([]);
  });

  it('rates the venues of both chains, the first by what was handed to the bridge', async () => {
    await stack.sql('TRUNCATE venue_ratings');
    const { payment } = await funded(WETH, BETA_WETH, 10n ** 17n);
    const across = await bridging(payment);
    expect(across.legs[0]?.conversion).toMatchObject({
      ...{ venue: 'uniswap_v3', attempt: 1 },
      quoted: across.legs[0]?.settlement?.output,
    });
    await fill(stack.on(BETA_USDC), across);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const rated = { venue: 'uniswap_v3', conversions: 1, sum: 0 };
    await eventually(async () => {
      const rows = await stack.sql(
        'SELECT chain, venue, conversions, shortfall_sum_ppm::int AS sum FROM venue_ratings ORDER BY chain',
      );
      expect(rows).toEqual(['alphanet', 'betanet'].map((chain) => ({ chain, ...rated })));
    });
  });

  it('leaves a deposit on the wrong chain to its owner', async () => {
    const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    await stack.send(BETA_USDC, payment.walletAddress, 7n * ONE_USDC);
    await fill(stack.on(BETA_USDC), await bridging(payment));
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await stack.balance(BETA_USDC, payment.walletAddress)).toBe(7n * ONE_USDC);
    expect(issuesOf(after, () => aPolicy, new Date())).toMatchObject([
      { kind: 'funding', token: BETA_USDC, balance: { '#': '7000000' } },
      { classification: 'MISSENT', withdraw_from: { withdraw_account: 'SPW' } },
    ]);
  });

  it.each([
    ['the leg', false],
    ['the deposit and the leg', true],
  ])('repeats after a reorg of its origin: %s', async (_, hasDeposit) => {
    const amount = 20n * ONE_USDC;
    const { payment } = await funded(USDC, BETA_USDC, amount);
    const across = await bridging(payment);
    const alphanet = stack.on(USDC);
    const [deposit] = across.deposits;
    const first = hasDeposit ? deposit?.blockNumber : across.legs[0]?.settlement?.blockNumber;
    if (first === undefined) throw new Error('no block to reorganise');
    await alphanet.reorganiseFrom(first);
    if (hasDeposit) {
      await stack.expectToBecome(payment, { deposits: [] });
      await stack.send(USDC, payment.walletAddress, amount);
    }
    const lost = across.legs[0]?.transfer?.transfer.id;
    const again = await eventually(async () => {
      const now = await bridging(payment);
      expect(now.legs[0]?.transfer?.transfer.id).not.toBe(lost);
      return now;
    });
    await fill(stack.on(BETA_USDC), again);
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await paidOut(payment, BETA_USDC)).toBe(after.legs[1]?.settlement?.output);
    expect(after.deposits.filter(({ chain }) => chain === 'alphanet')).toHaveLength(1);
    await isAtRest(payment);
  });

  it('fails when its order stays unfilled, and is refunded to the owner’s recipient', async () => {
    const { payment, owner } = await funded(USDC, BETA_WETH, 20n * ONE_USDC);
    const across = await bridging(payment);
    await closeWindow(stack, across);
    const failed = await stack.expectToBecome(payment, {
      status: 'FAILED',
      legs: [
        { status: 'FAILED', transfer: { status: 'UNFILLED' }, failure: { reason: 'bridge' } },
        { status: 'UNREACHABLE' },
      ],
    });
    const { inputAmount } = orderOf(across);
    expect(issuesOf(failed, () => aPolicy, new Date())).toMatchObject([
      {
        classification: 'STUCK',
        token: USDC,
        balance: { '#': inputAmount.toString() },
        severity: 'HIGH',
        withdraw_from: { withdraw_account: 'INTENT' },
      },
    ]);
    const hash = await refundFromOutside(stack.on(USDC), across, owner);
    expect(await stack.balance(USDC, owner.address)).toBe(inputAmount);
    // Orders without a known refund are polled less often.
    await stack.sql('UPDATE legs SET due_at = now() WHERE payment_id = $1', [payment.id]);
    await stack.expectToBecome(payment, {
      status: 'WITHDRAWN',
      withdrawals: [{ status: 'SUCCESS', transactionHash: hash, recipientAddress: owner.address }],
    });
    const report = refundReported(across, owner.address);
    await service.app
      .get(PaymentStoreRepository)
      .changeNow(payment.id, (now, at) => withdrawalReported(now, reportedWithdrawal(report), at));
    const { withdrawals } = await stack.read(payment.id);
    expect(withdrawals).toMatchObject([{ withdrawId: report.withdraw_id, status: 'SUCCESS' }]);
    expect(withdrawals).toHaveLength(1);
    await isAtRest(payment);
  });

  it('is withdrawn by the refund when the wallet keeps less than a withdrawal costs', async () => {
    const { payment, owner } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    const across = await bridging(payment);
    await stack.send(USDC, payment.walletAddress, aboveDustBelowCost);
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }, { confirmed: true }] });
    await closeWindow(stack, across);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await refundFromOutside(stack.on(USDC), across, owner);
    await stack.sql('UPDATE legs SET due_at = now() WHERE payment_id = $1', [payment.id]);
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
  });

  it('is withdrawn, not failed, when the refund settled on chain before the next poll', async () => {
    const { payment, owner } = await funded(USDC, BETA_WETH, 20n * ONE_USDC);
    const across = await bridging(payment);
    await stack.stopServices();
    await closeWindow(stack, across);
    await refundFromOutside(stack.on(USDC), across, owner);
    service = await stack.startProcess();
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    const types = await eventually(async () => {
      const published = await eventTypes(payment);
      expect(published).toContain('payment.withdrawn');
      return published;
    });
    expect(types).not.toContain('payment.failed');
  });

  it.each([
    ['refuses', 'refusals', 'The bridge refuses the transfer.'],
    ['times out', 'outages', 'The bridge is unavailable.'],
  ] as const)(
    'keeps its funds in the wallet while its bridge %s, then continues',
    async (_, answers, message) => {
      stack.solver.answers = answers;
      const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
      await stack.expectToBecome(payment, {
        legs: [{ status: 'ATTEMPT_FAILED', failure: { message } }, {}],
      });
      expect(await stack.balance(USDC, payment.walletAddress)).toBe(20n * ONE_USDC);
      expect(await sentLegs(payment, 0)).toEqual([]);
      stack.solver.answers = 'quotes';
      await fill(stack.on(BETA_USDC), await bridging(payment));
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
    },
  );

  it('continues when the order is filled in its last second', async () => {
    const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    const across = await bridging(payment);
    const betanet = stack.on(BETA_USDC);
    await betanet.stopMining();
    const { fillDeadline } = orderOf(across);
    const hash = await fill(betanet, across);
    await betanet.node.setNextBlockTimestamp({ timestamp: fillDeadline });
    await betanet.node.mine({ blocks: 1 });
    await betanet.mined(hash);
    await betanet.resumeMining();
    await closeWindow(stack, across);
    await stack.expectToBecome(payment, {
      status: 'COMPLETE',
      legs: [{ transfer: { status: 'FILLED' } }, {}],
    });
    await isAtRest(payment);
  });

  it('pays once when the destination halts for ten minutes', async () => {
    const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    const betanet = stack.on(BETA_USDC);
    const across = await bridging(payment);
    await betanet.stopMining();
    await fill(betanet, across);
    await betanet.node.mine({ blocks: 1 });
    await stack.expectToBecome(payment, { legs: [{}, { status: 'EXECUTING' }] });
    await betanet.node.increaseTime({ seconds: 600 });
    // Long enough for another attempt with higher fees.
    await eventually(async () => {
      const attempts = await stack.sql(
        `SELECT 1 FROM chain_transaction_attempts a JOIN chain_transactions t ON t.id = a.transaction_id
         WHERE t.reference LIKE $1`,
        [`leg:${payment.id}:1:%`],
      );
      expect(attempts.length).toBeGreaterThan(1);
    });
    await betanet.resumeMining();
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await paidOut(payment, BETA_USDC)).toBe(after.legs[1]?.settlement?.output);
    expect(await sentLegs(payment, 1)).toMatchObject([{ status: 'success' }]);
    await isAtRest(payment);
  });

  it('pays once when a reorg of its destination undoes the delivery', async () => {
    const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    const across = await bridging(payment);
    const betanet = stack.on(BETA_USDC);
    await betanet.stopMining();
    await fill(betanet, across);
    await betanet.node.mine({ blocks: 1 });
    await stack.expectToBecome(payment, { legs: [{}, { status: 'EXECUTING' }] });
    await betanet.reorganise(1);
    await stack.expectToBecome(payment, { deposits: [{ chain: 'alphanet' }] });
    await betanet.resumeMining();
    await stack.expectToBecome(payment, {
      status: 'PENDING',
      legs: [{}, { status: 'ATTEMPT_FAILED' }],
    });
    await fill(betanet, across);
    const after = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await paidOut(payment, BETA_USDC)).toBe(after.legs[1]?.settlement?.output);
    await isAtRest(payment);
  });

  it('waits until the destination proves the order unfilled', async () => {
    const { payment } = await funded(USDC, BETA_USDC, 20n * ONE_USDC);
    const across = await bridging(payment);
    const betanet = stack.on(BETA_USDC);
    await betanet.stopMining();
    const seen = (await stack.read(payment.id)).legs[0]?.dueAt?.getTime() ?? 0;
    await stack.on(USDC).letTimePass(600);
    // It was polled since.
    await eventually(async () => {
      const { legs, status } = await stack.read(payment.id);
      expect(legs[0]?.dueAt?.getTime()).toBeGreaterThan(seen + 3_000);
      expect([status, legs[0]?.status]).toEqual(['PENDING', 'BRIDGING']);
    });
    await betanet.resumeMining();
    await closeWindow(stack, across);
    await stack.expectToBecome(payment, { status: 'FAILED' });
  });
});
