import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { intentEscrowAbi, ORDER_STATUSES, orderId } from '@bascule/solidity';
import { eventually, FaultTrap } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hash } from 'viem';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { ESCROW } from '../testing/a-bridged-payment.fixture.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import {
  alignClocks,
  attestUnfilled,
  BETA_USDC,
  CHAINS,
  closeWindow,
  confirmCrossing,
  expireOrder,
  orderOf,
  refundFromOutside,
  refundToWalletFromOutside,
  submitSignedRefund,
} from '../testing/crossing.fixture.js';
import { withChains } from '../testing/fast-service.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { NATIVE, PaymentStack } from '../testing/payment-stack.fixture.js';
import { SimulatedAttesters } from '../testing/simulated-attesters.fixture.js';

const AMOUNT = 20_000_000n;
/** Measured gas of the adapter, which the service compares with the order's value. */
const WALLET_REFUND_GAS = 150_000n;

describe('an unfilled order', () => {
  const fault = new FaultTrap();
  let stack: PaymentStack;
  let attesters: SimulatedAttesters;

  beforeAll(async () => {
    attesters = await SimulatedAttesters.start();
    stack = await PaymentStack.start(
      { EXECUTION_RETRY_MS: '300', ATTESTER_URLS: attesters.urls },
      CHAINS,
    );
  });
  afterEach(async () => {
    fault.disarm();
    attesters.answers = 'unfilled';
    await stack.stopServices();
    for (const token of [USDC, BETA_USDC]) await stack.on(token).resumeMining();
    await alignClocks(stack);
  });
  afterAll(async () => {
    await stack.stop();
    await attesters.stop();
  });

  /** A payment whose order is open, and its owner. */
  const opened = async (useIntentRefund = false, input = USDC, amount = AMOUNT) => {
    const service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await confirmCrossing(stack, service, {
      input,
      output: BETA_USDC,
      amount,
      owner: owner.address,
      useIntentRefund,
      // Each expired order moves the chains' clocks by half an hour.
      expirationSeconds: 36_000,
    });
    await stack.send(input, payment.walletAddress, amount);
    const across = await stack.expectToBecome(payment, { legs: [{ status: 'BRIDGING' }, {}] });
    return { service, owner, payment: across, amount: orderOf(across).inputAmount };
  };
  const refundsOf = ({ id }: PaymentRecord) =>
    stack.sql<{ reference: string; status: string; hash: Hash }>(
      `SELECT reference, status, hash FROM chain_transactions WHERE reference LIKE $1
       ORDER BY reference`,
      [`wallet-refund:${id}:%`],
    );
  const statusOnChain = async (payment: PaymentRecord) => {
    const args = [orderId(orderOf(payment), ESCROW)] as const;
    const contract = { address: ESCROW, abi: intentEscrowAbi } as const;
    const status = { ...contract, functionName: 'statusOf', args } as const;
    return ORDER_STATUSES[await stack.node.readContract(status)];
  };
  const issues = (payment: PaymentRecord) => issuesOf(payment, () => aPolicy, new Date());
  const stuck = (amount: bigint, account: string) => ({
    classification: 'STUCK',
    token: USDC,
    balance: { '#': amount.toString() },
    severity: 'HIGH',
    withdraw_from: { withdraw_account: account },
  });
  const inWallet = async (payment: PaymentRecord, amount: bigint) => {
    const landed = await eventually(
      async () => {
        const now = await stack.expectToBecome(payment, {
          status: 'FAILED',
          withdrawals: [],
          legs: [{ status: 'FAILED', transfer: { status: 'REFUNDED' } }, {}],
        });
        expect(issues(now)).toMatchObject([stuck(amount, 'SPW')]);
        return now;
      },
      { timeoutMs: 60_000 },
    );
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(amount);
    return landed;
  };
  /** Polls unclaimed orders now, as a minute later. */
  const poll = ({ id }: PaymentRecord) =>
    stack.sql<{ due_at: Date }>(
      `UPDATE legs SET due_at = now() WHERE payment_id = $1 AND due_at IS NOT NULL
       RETURNING due_at`,
      [id],
    );
  const price = (token: string, usd: string) =>
    stack.sql('UPDATE prices SET usd = $2 WHERE asset = $1', [token, usd]);
  const observe = (token: string, ago: string) =>
    stack.sql('UPDATE prices SET observed_at = now() - $2::interval WHERE asset = $1', [
      token,
      ago,
    ]);
  /** Waits for the next two polls of an unclaimed order: the first one may have begun before. */
  const polledTwice = async (payment: PaymentRecord) => {
    for (const _ of [1, 2]) {
      const [asked] = await poll(payment);
      await eventually(async () => {
        const { legs } = await stack.read(payment.id);
        expect(legs[0]?.dueAt?.getTime()).toBeGreaterThan(asked?.due_at.getTime() ?? Infinity);
      });
    }
  };

  it.each([
    ['bridged as deposited', USDC, AMOUNT],
    ['converted before the bridge', WETH, 10n ** 16n],
  ])('is refunded to its wallet, whence the owner withdraws it: %s', async (_, input, deposit) => {
    const { payment, owner, amount } = await opened(false, input, deposit);
    await closeWindow(stack, payment);
    const landed = await inWallet(payment, amount);
    const refunded = landed.legs[0]?.transfer?.refunded;
    expect(refunded).toMatchObject({ amount, fee: 0n });
    // One transaction with the attesters' signatures.
    const hash = refunded?.transactionHash as Hash;
    await eventually(async () =>
      expect(await refundsOf(payment)).toMatchObject([{ status: 'success', hash }]),
    );
    const { gasUsed } = await stack.node.getTransactionReceipt({ hash });
    expect(gasUsed).toBeLessThanOrEqual(WALLET_REFUND_GAS);
    expect(gasUsed).toBeGreaterThan((WALLET_REFUND_GAS * 4n) / 5n);

    await withdrawFromOutside(stack, payment, owner, { token: USDC, amount, acceptBlame: true });
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(await stack.balance(USDC, owner.address)).toBe(amount);
  });

  it('stays in the escrow for the owner’s signature with use_intent_refund', async () => {
    const { payment, owner, amount } = await opened(true);
    const id = orderId(orderOf(payment), ESCROW);
    await closeWindow(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await polledTwice(payment);
    expect(attesters.asked).not.toContain(id);
    expect(await refundsOf(payment)).toEqual([]);
    expect(await statusOnChain(payment)).toBe('OPEN');
    expect(issues(await stack.read(payment.id))).toMatchObject([stuck(amount, 'INTENT')]);
    await refundFromOutside(stack.on(USDC), payment, owner);
    await poll(payment);
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(await stack.balance(USDC, owner.address)).toBe(amount);
  });

  it('may be refunded to its wallet by anyone, also with use_intent_refund', async () => {
    const { payment, amount } = await opened(true);
    await expireOrder(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await refundToWalletFromOutside(stack.on(USDC), payment);
    await poll(payment);
    await inWallet(payment, amount);
    expect(await refundsOf(payment)).toEqual([]);
  });

  it('is withdrawn where its owner takes the refund before the bridge is asked about it', async () => {
    const { payment, owner, amount } = await opened(true);
    await expireOrder(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    // A poll that has begun would set its own time.
    await polledTwice(payment);
    const { id } = payment;
    await stack.sql("UPDATE legs SET due_at = now() + interval '1 day' WHERE payment_id = $1", [
      id,
    ]);
    await refundToWalletFromOutside(stack.on(USDC), payment);
    await withdrawFromOutside(stack, payment, owner, { token: USDC, amount, acceptBlame: true });
    await stack.expectToBecome(payment, {
      status: 'FAILED',
      withdrawals: [{ status: 'SUCCESS' }],
      legs: [{ transfer: { status: 'UNFILLED' } }, {}],
    });
    await poll(payment);
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(issues(await stack.read(id))).toEqual([]);
  });

  it('waits for the attesters, and for its expiry without them', async () => {
    attesters.answers = 'outages';
    const { payment, amount } = await opened();
    const id = orderId(orderOf(payment), ESCROW);
    await closeWindow(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await eventually(() => expect(attesters.asked).toContain(id));
    expect(await refundsOf(payment)).toEqual([]);
    expect(await statusOnChain(payment)).toBe('OPEN');
    await expireOrder(stack, payment);
    await poll(payment);
    await inWallet(payment, amount);
  });

  it('is never refunded while the attesters report it as filled', async () => {
    attesters.answers = 'filled';
    const { payment } = await opened();
    const id = orderId(orderOf(payment), ESCROW);
    await expireOrder(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await eventually(() =>
      expect(attesters.asked.filter((asked) => asked === id).length).toBeGreaterThan(3),
    );
    expect(await refundsOf(payment)).toEqual([]);
    expect(await statusOnChain(payment)).toBe('OPEN');
  });

  it('stays in the escrow while it is worth less than the gas, as a low issue', async () => {
    const { payment, amount } = await opened();
    const id = orderId(orderOf(payment), ESCROW);
    try {
      await price(NATIVE, '1000000000000');
      await closeWindow(stack, payment);
      const small = await stack.expectToBecome(payment, {
        status: 'FAILED',
        legs: [{ transfer: { walletRefund: { isUneconomic: true } } }, {}],
      });
      expect(issues(small)).toMatchObject([{ ...stuck(amount, 'INTENT'), severity: 'LOW' }]);
      expect(attesters.asked).not.toContain(id);
      expect(await refundsOf(payment)).toEqual([]);
    } finally {
      await price(NATIVE, '3000');
    }
    await poll(payment);
    await inWallet(payment, amount);
  });

  it('is refunded where a rollup’s data costs several times its gas, and waits with a reason of its own while that exceeds any bound', async () => {
    const { payment, service, amount } = await opened();
    await stack.stopProcess(service);
    const dataFee = async (weiPerByte: bigint) => {
      await stack.on(BETA_USDC).setDataFee(weiPerByte);
      return stack.on(USDC).setDataFee(weiPerByte);
    };
    try {
      // More than the ceiling of what is charged for a byte, but worth less than the transfer.
      const dataFeeOracle = await dataFee(10n ** 15n);
      await price(NATIVE, '1');
      await stack.startProcess({}, withChains({ dataFeeOracle }));
      await closeWindow(stack, payment);
      await eventually(async () => {
        const rows = await stack.sql<{ reason: string }>(
          `SELECT facts->>'reason' AS reason FROM timeline_entries
           WHERE payment_id = $1 AND type = 'refund.waiting'`,
          [payment.id],
        );
        expect(rows).toContainEqual({ reason: 'gas or data costs more than a refund may' });
      });
      expect(await refundsOf(payment)).toEqual([]);
      // More than three times the gas of the refund.
      await dataFee(15n * 10n ** 11n);
      await poll(payment);
      await inWallet(payment, amount);
    } finally {
      await price(NATIVE, '3000');
      await dataFee(0n);
    }
  });

  it.each([
    ['its token', USDC],
    ['gas', NATIVE],
  ])('stays in the escrow while the price of %s is stale', async (_, token) => {
    const { payment, amount } = await opened();
    const id = orderId(orderOf(payment), ESCROW);
    try {
      await observe(token, '2 hours');
      await closeWindow(stack, payment);
      await stack.expectToBecome(payment, { status: 'FAILED' });
      await polledTwice(payment);
      expect(attesters.asked).not.toContain(id);
      expect(await refundsOf(payment)).toEqual([]);
    } finally {
      await observe(token, '0 seconds');
    }
    await poll(payment);
    await inWallet(payment, amount);
  });

  it('is the owner’s once when a signed refund is mined before ours', async () => {
    attesters.answers = 'outages';
    const { payment, owner, amount } = await opened();
    const alphanet = stack.on(USDC);
    await closeWindow(stack, payment);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await alphanet.stopMining();
    await attestUnfilled(alphanet, payment);
    await stack.node.mine({ blocks: 1 });
    await poll(payment);
    // Both refunds are in the mempool.
    await eventually(async () => {
      expect(await refundsOf(payment)).toHaveLength(1);
      const { pending } = await stack.node.getTxpoolStatus();
      expect(pending).toBe(1);
    });
    await submitSignedRefund(alphanet, payment, owner, { priorityFee: 10n ** 11n });
    await stack.node.mine({ blocks: 1 });
    await alphanet.resumeMining();
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
    expect(await stack.balance(USDC, owner.address)).toBe(amount);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(0n);
    await eventually(async () =>
      expect(await refundsOf(payment)).toMatchObject([{ status: 'reverted' }]),
    );
    await stack.expectToBecome(payment, { status: 'WITHDRAWN', legs: [{ dueAt: null }, {}] });
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('is refunded again after a reorg undid its refund', async () => {
    const { payment, amount } = await opened();
    await closeWindow(stack, payment);
    const landed = await inWallet(payment, amount);
    const refunded = landed.legs[0]?.transfer?.refunded;
    const block = refunded?.blockNumber ?? 0n;
    // A reorg is noticed by a scanner that has read the blocks which it replaces.
    await eventually(async () => {
      const { deposits } = await stack.read(payment.id);
      const hashes = deposits.map(({ transactionHash }) => transactionHash);
      expect(hashes).toContain(refunded?.transactionHash);
    });
    const undone = await stack.on(USDC).balance(USDC, ESCROW);
    await stack.on(USDC).reorganiseFrom(block);
    expect(await stack.balance(USDC, ESCROW)).toBe(undone + amount);
    await eventually(async () => expect(await statusOnChain(payment)).toBe('REFUNDED'), {
      timeoutMs: 60_000,
    });
    await eventually(
      async () => {
        const again = await inWallet(payment, amount);
        expect(again.legs[0]?.transfer?.refunded?.blockNumber).not.toBe(block);
      },
      { timeoutMs: 60_000 },
    );
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  // The first pass is before the commit, the second one after it.
  it.each([1, 2])('is refunded once when the process crashes at pass %i', async (pass) => {
    const { payment, service, amount } = await opened();
    const death = fault.arm('payment.refund-planned', pass);
    await closeWindow(stack, payment);
    await death;
    await stack.stopProcess(service);
    fault.disarm();
    await stack.letLeasesRunOut();
    await stack.startProcess();
    await inWallet(payment, amount);
    expect(await refundsOf(payment)).toHaveLength(1);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(amount);
  });
});
