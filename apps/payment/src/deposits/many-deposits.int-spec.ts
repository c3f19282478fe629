import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import { eventually, SanctionedFile } from '@bascule/testing';
import { encodeFunctionData, erc20Abi, getAddress, multicall3Abi } from 'viem';
import type { Address, Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { depositedInTime } from '../life-cycle/funding.js';
import { heldOf } from '../life-cycle/wallet-ledger.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { SINGLE_DEPOSITS } from './deposit-room.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 10n * ONE_USDC };
const DUST_AT_ONCE = 2_000;
const STRANGER = privateKeyToAccount(developmentAccounts[4].privateKey);

/** Lets the stranger send dust. */
async function giveDust(stack: PaymentStack): Promise<void> {
  for (const address of [developmentAddresses.usdc, developmentAddresses.usdt]) {
    await stack.wallet(STRANGER).writeContract({
      address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [developmentAddresses.multicall3, 2n ** 255n],
    });
  }
  await stack.send(USDC, STRANGER.address, ONE_USDC);
  await stack.send(USDT, STRANGER.address, ONE_USDC);
}

/** Sends transfers of one unit each, by one transaction. */
async function dust(
  stack: PaymentStack,
  { walletAddress }: PaymentRecord,
  transfers: number,
  token: Address = developmentAddresses.usdc,
): Promise<Hash> {
  const callData = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [STRANGER.address, getAddress(walletAddress), 1n],
  });
  const call = { target: token, allowFailure: false, callData };
  return stack.wallet(STRANGER).writeContract({
    address: developmentAddresses.multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [Array.from({ length: transfers }, () => call)],
    gas: 29_000_000n,
  });
}

describe('a wallet with thousands of deposits', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ CONFIRMATIONS_ALPHANET: '2' });
    await giveDust(stack);
  });
  afterEach(async () => {
    await stack.stopServices();
    await stack.resumeMining();
  });
  afterAll(() => stack.stop());

  const largestEventOf = async ({ id }: PaymentRecord): Promise<number> => {
    const [row] = await stack.sql<{ bytes: number }>(
      `SELECT max(octet_length(value))::int AS bytes FROM event_log.records WHERE key = $1`,
      [id],
    );
    return row?.bytes ?? 0;
  };

  it('stops no other payment, and has all of them recorded', async () => {
    service = await stack.startProcess();
    const attacked = await stack.confirm(service, { ...WISH, amount: 100n * ONE_USDC });
    for (let round = 0; round < 10; round += 1) {
      const others = await Promise.all(
        Array.from({ length: 5 }, () => stack.confirm(service, WISH)),
      );
      await dust(stack, attacked, DUST_AT_ONCE);
      for (const other of others) await stack.send(USDC, other.walletAddress, WISH.amount);
      // Before the next dust is sent.
      for (const other of others) await stack.expectToBecome(other, { status: 'COMPLETE' });
    }
    const all = BigInt(10 * DUST_AT_ONCE);
    const now = await eventually(async () => {
      const read = await stack.read(attacked.id);
      expect(heldOf(read, USDC)).toBe(all);
      return read;
    });
    expect(depositedInTime(now)).toBe(all);
    expect(now.deposits.length).toBeLessThan(SINGLE_DEPOSITS + 5);
    const rows = await stack.sql(`SELECT FROM payment.deposits WHERE payment_id = $1`, [
      attacked.id,
    ]);
    expect(rows).toHaveLength(10 * DUST_AT_ONCE);
    expect(await largestEventOf(attacked)).toBeLessThan(65_536);
    expect(await stack.sql('SELECT FROM payment.set_aside_payments')).toEqual([]);
  });

  it('is paid out once its own money arrives', async () => {
    service = await stack.startProcess();
    const attacked = await stack.confirm(service, WISH);
    await dust(stack, attacked, 100);
    const funding = await stack.send(USDC, attacked.walletAddress, WISH.amount);
    await dust(stack, attacked, 100);
    const paid = await stack.expectToBecome(attacked, { status: 'COMPLETE' });
    const own = paid.deposits.find(({ amount }) => amount === WISH.amount);
    expect(own?.transactionHash).toBe(funding);
    expect(own?.sum).toBeUndefined();
    await eventually(async () => {
      expect(heldOf(await stack.read(attacked.id), USDC)).toBe(200n);
    });
  });

  it('loses exactly those that a reorg removes', async () => {
    service = await stack.startProcess();
    const attacked = await stack.confirm(service, WISH);
    await stack.node.waitForTransactionReceipt({ hash: await dust(stack, attacked, 60) });
    await eventually(async () => {
      expect(heldOf(await stack.read(attacked.id), USDC)).toBe(60n);
    });
    await stack.stopMining();
    await dust(stack, attacked, 70);
    await dust(stack, attacked, 80, developmentAddresses.usdt);
    await stack.node.mine({ blocks: 1 });
    const count = async (): Promise<number> =>
      (await stack.read(attacked.id)).deposits.reduce(
        (total, { sum }) => total + (sum?.count ?? 1),
        0,
      );
    await eventually(async () => {
      expect(await count()).toBe(210);
    });
    await stack.reorganise(1);
    await stack.node.mine({ blocks: 3 });
    await eventually(async () => {
      expect(await count()).toBe(60);
    });
    const now = await stack.read(attacked.id);
    expect([heldOf(now, USDC), heldOf(now, USDT)]).toEqual([60n, 0n]);
  });
});

describe('thousands of small deposits of a sanctioned sender', () => {
  const file = new SanctionedFile();
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start({ SCREENING_FILE: file.path, SCREENING_TAINT_USD: '0.001' });
    await giveDust(stack);
  });
  afterAll(async () => {
    await stack.stop();
    file.remove();
  });

  it('taint the payment by their sum, though each is worth nothing', async () => {
    file.list();
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    for (let count = 0; count < SINGLE_DEPOSITS; count += 1) {
      await stack.send(USDC, payment.walletAddress, 2n);
    }
    await dust(stack, payment, 900);
    await eventually(async () => {
      expect(heldOf(await stack.read(payment.id), USDC)).toBe(900n + 2n * BigInt(SINGLE_DEPOSITS));
    });
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING', senders: 'CLEAR' });
    file.list(STRANGER.address);
    await dust(stack, payment, 200);
    await stack.expectToBecome(payment, { status: 'TAINTED', taintedBy: 'sender' });
    const single = (await stack.read(payment.id)).deposits.filter(({ sum }) => sum === undefined);
    expect(single.map(({ amount }) => amount)).toEqual(single.map(() => 2n));
  });
});
