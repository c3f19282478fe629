import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Issue } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import { Lease, LeaseLostError } from '@bascule/persistence';
import { eventually } from '@bascule/testing';
import { DataSource } from 'typeorm';
import { encodeFunctionData, getAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { DEFAULT_TIMING } from '../config/payment.config.js';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { AGGREGATE3_VALUE } from '../testing/contract-payments.fixture.js';
import { NATIVE, PaymentStack } from '../testing/payment-stack.fixture.js';
import { ScanGuardRepository } from './scan-guard.repository.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 100n * ONE_USDC };

const parked = (payment: PaymentRecord) =>
  issuesOf(payment, () => aPolicy, new Date()).map((issue: Issue) =>
    issue.kind === 'parked_fund' ? [issue.classification, issue.balance['#']] : [issue.kind],
  );

describe('a deposit', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ CONFIRMATIONS_ALPHANET: '2' });
  });
  afterEach(async () => {
    await stack.stopServices();
    await stack.resumeMining();
  });
  afterAll(() => stack.stop());

  it('below the required amount marks the payment as funded, with an issue', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, 40n * ONE_USDC);
    const now = await stack.expectToBecome(payment, {
      status: 'PENDING',
      funded: true,
      fundedInFullAt: null,
    });
    expect(parked(now)).toEqual([['UNDERFUNDED', '40000000']]);
  });

  it('in several parts counts as their sum', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, 40n * ONE_USDC);
    await stack.send(USDC, payment.walletAddress, 60n * ONE_USDC);
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(now.deposits.map(({ amount }) => amount)).toEqual([40n * ONE_USDC, 60n * ONE_USDC]);
    expect(parked(now)).toEqual([]);
  });

  it('above the required amount leaves the rest to the owner', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, 103n * ONE_USDC);
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(parked(now)).toEqual([['EXTRA', '3000000']]);
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await eventually(async () => {
      expect(parked(await stack.read(payment.id))).toEqual([['EXTRA', '4000000']]);
    });
  });

  it('is missent in another listed token, and ignored in an unlisted one', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const unknown = `alphanet:${developmentAddresses.wbtc}` as const;
    await stack.send(unknown, payment.walletAddress, 5n);
    await stack.send(USDT, payment.walletAddress, 7n * ONE_USDC);
    const now = await stack.expectToBecome(payment, { status: 'PENDING', funded: true });
    expect(now.deposits).toHaveLength(1);
    expect(parked(now)).toEqual([['funding'], ['MISSENT', '7000000']]);
  });

  it('counts in a token that was delisted meanwhile, whose sender is screened, too', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.list(USDT, false);
    await stack.send(USDT, payment.walletAddress, 7n * ONE_USDC);
    const now = await stack.expectToBecome(payment, { status: 'PENDING', funded: true });
    await stack.list(USDT, true);
    expect(parked(now)).toEqual([['funding'], ['MISSENT', '7000000']]);
    expect(now.deposits.map(({ sender }) => sender)).toEqual([expect.any(String)]);
  });

  it('after the deadline is delayed and leaves the payment expired', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, { ...WISH, expirationSeconds: 2 });
    await stack.expectToBecome(payment, { status: 'EXPIRED', funded: false });
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    const now = await stack.expectToBecome(payment, { status: 'EXPIRED', funded: true });
    expect(parked(now)).toEqual([['DELAYED', '100000000']]);
  });

  it('in time counts even when it is scanned late', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, { ...WISH, expirationSeconds: 3 });
    await stack.stopServices();
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await eventually(async () => {
      const { timestamp } = await stack.node.getBlock();
      expect(Number(timestamp) * 1000).toBeGreaterThan(payment.initiateFundBy.getTime());
    });
    await stack.startProcess();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('is found many blocks later, also on a chain without earlier scans', async () => {
    service = await stack.startProcess();
    const payments = [await stack.confirm(service, WISH), await stack.confirm(service, WISH)];
    await stack.stopServices();
    const [scanned, unscanned] = payments;
    if (!scanned || !unscanned) throw new Error('no payments');
    await stack.send(USDC, scanned.walletAddress, ONE_USDC);
    await stack.node.mine({ blocks: 50, interval: 0 });
    await stack.startProcess();
    await stack.expectToBecome(scanned, { funded: true });
    await stack.stopServices();

    await stack.send(USDC, unscanned.walletAddress, ONE_USDC);
    await stack.node.mine({ blocks: 50, interval: 0 });
    await stack.sql('TRUNCATE chain_cursors, scanned_blocks');
    await stack.startProcess();
    await stack.expectToBecome(unscanned, { funded: true });
    expect((await stack.read(scanned.id)).deposits).toHaveLength(1);
  });

  it('is found on a chain that restarted behind the remembered blocks', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopServices();
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await stack.sql(`UPDATE chain_cursors SET block_number = 1000000,
      confirmed_block_number = 999999, block_hash = '0x${'f'.repeat(64)}'`);
    await stack.sql('TRUNCATE scanned_blocks');
    await stack.startProcess();
    await stack.node.mine({ blocks: 3, interval: 0 });
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await stack.expectToBecome(payment, { funded: true });
  });

  it('is found inside a contract call that sends native currency', async () => {
    service = await stack.startProcess();
    const amount = 10n ** 16n;
    const payment = await stack.confirm(service, { input: NATIVE, output: NATIVE, amount });
    const target = getAddress(payment.walletAddress);
    const pay = (value: bigint, allowFailure: boolean, to = target) => ({
      target: to,
      allowFailure,
      value,
      callData: '0x' as const,
    });
    // A call that fails transfers nothing, whatever its value.
    const refusing = developmentAddresses.usdc;
    const hash = await stack
      .wallet(privateKeyToAccount(developmentAccounts[0].privateKey))
      .sendTransaction({
        to: developmentAddresses.multicall3,
        value: amount + 5n,
        data: encodeFunctionData({
          abi: AGGREGATE3_VALUE,
          args: [[pay(amount, false), pay(5n, true, refusing)]],
        }),
      });
    await stack.node.waitForTransactionReceipt({ hash });
    const now = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(now.deposits.map((deposit) => [deposit.amount, deposit.sender])).toEqual([
      [amount, developmentAddresses.multicall3.toLowerCase()],
    ]);
  });

  it('is undone with its block and counts again in the new block', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    const { account, sent } = await broadcast(stack, payment, 50n * ONE_USDC);
    await stack.node.mine({ blocks: 1 });
    const seen = await eventually(async () => {
      const now = await stack.read(payment.id);
      expect(now.deposits).toHaveLength(1);
      return now;
    });
    expect(seen.funded).toBe(false);
    await stack.reorganise(1);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      expect((await stack.read(payment.id)).deposits).toEqual([]);
    });
    await account.sendRawTransaction({ serializedTransaction: sent });
    await stack.node.mine({ blocks: 2 });
    const again = await stack.expectToBecome(payment, { funded: true });
    expect(again.deposits).toHaveLength(1);
    expect(again.deposits[0]?.blockHash).not.toBe(seen.deposits[0]?.blockHash);
  });

  it('is undone by a reorg of final blocks', async () => {
    service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    await broadcast(stack, payment, 50n * ONE_USDC);
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { funded: true });
    await stack.reorganise(4);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { funded: false, deposits: [] });
  });

  it('is not written by a scanner that has lost its lease', async () => {
    service = await stack.startProcess();
    const dataSource = service.app.get(DataSource);
    const lease = (holder: string) =>
      new Lease({ dataSource, name: 'scanner:test', holder, ttlMs: 1 });
    const slow = lease('slow');
    const epoch = (await slow.acquire())?.epoch ?? 0n;
    const heir = lease('heir');
    await eventually(async () => {
      expect(await heir.acquire()).toEqual({ epoch: epoch + 1n });
    });
    const write = jest.fn<() => Promise<void>>();
    const late = new ScanGuardRepository(dataSource, slow, epoch).transaction(write);
    await expect(late).rejects.toThrow(LeaseLostError);
    expect(write).not.toHaveBeenCalled();
  });

  it('is recorded by a standby process once the lease of a crashed one has expired', async () => {
    service = await stack.startProcess();
    await stack.stopServices();
    await stack.sql(`UPDATE leases SET holder = 'killed', expires_at = now() + interval '1 hour'`);
    const heir = await stack.startProcess();
    const payment = await stack.confirm(heir, WISH);
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    const [lease] = await stack.sql<{ holder: string }>(
      `SELECT holder FROM leases WHERE name LIKE 'scanner:%'`,
    );
    expect(lease?.holder).toBe('killed');
    expect((await stack.read(payment.id)).deposits).toEqual([]);
    await stack.sql('UPDATE leases SET expires_at = now()');
    await stack.expectToBecome(payment, { funded: true });
  });

  it('waits less than ten seconds for a standby process', () => {
    expect(DEFAULT_TIMING.scanLeaseMs + DEFAULT_TIMING.standbyMs).toBeLessThan(10_000);
  });
});

/** Sent, and not mined yet. */
async function broadcast(stack: PaymentStack, payment: PaymentRecord, amount: bigint) {
  const account = stack.wallet(privateKeyToAccount(developmentAccounts[4].privateKey));
  const request = await account.prepareTransactionRequest({
    to: developmentAddresses.usdc,
    data: encodeFunctionData({
      abi: transferAbi,
      args: [getAddress(payment.walletAddress), amount],
    }),
  });
  const sent = await account.signTransaction(request);
  await account.sendRawTransaction({ serializedTransaction: sent });
  return { account, sent };
}

const transferAbi = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'amount' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const;
