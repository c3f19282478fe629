import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chainDefinitions } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { CustomActions } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { actionRunner, developmentAddresses, developmentVaultAbi } from '@bascule/solidity';
import { eventually, vaultDeposit } from '@bascule/testing';
import { erc20Abi, getAddress, pad, parseEventLogs, toHex } from 'viem';
import type { Address } from 'viem';
import { fulfilledRoute } from '../life-cycle/fulfilled.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { holdings } from '../life-cycle/wallet-ledger.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const RECEIVER: Address = '0x2222222222222222222222222222222222222222';
const LOOPING: Address = '0x4444444444444444444444444444444444444444';
/** Transfers 50 USDC of its own to the address in its first slot. */
const GIVING: Address = '0x6666666666666666666666666666666666666666';
const { usdc, usdcVault } = developmentAddresses;

const depositing = (amount: bigint, receiver = RECEIVER): CustomActions => ({
  actions: vaultDeposit(amount, receiver),
  user_estimated_gas: '200000',
});

describe('the execution of custom actions', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_PATIENCE_MS: '1500', EXECUTION_RETRY_MS: '300' });
    await stack.node.setCode({ address: LOOPING, bytecode: '0x5b600056' });
    await stack.node.setCode({
      address: GIVING,
      bytecode: `0x63a9059cbb60e01b5f525f546004526302faf0806024525f5f60445f5f73${usdc.slice(2)}5af100`,
    });
  });
  afterEach(() => stack.stopServices());
  afterAll(() => stack.stop());

  const ended = (payment: PaymentRecord) =>
    eventually(async () => {
      const now = await stack.read(payment.id);
      if (now.status === 'PENDING') throw new Error('still pending');
      return now;
    });
  const shares = (holder: Address) =>
    stack.node.readContract({
      address: usdcVault,
      abi: developmentVaultAbi,
      functionName: 'balanceOf',
      args: [holder],
    });
  const pay = async (payment: PaymentRecord, amount: bigint): Promise<PaymentRecord> => {
    await stack.send(USDC, payment.walletAddress, amount);
    return ended(payment);
  };

  it('makes the calls and pays the rest to the destination', async () => {
    service = await stack.startProcess();
    const before = await shares(RECEIVER);
    const amount = 100n * ONE_USDC;
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount },
      customActions: depositing(60n * ONE_USDC),
      gasLimit: 900_000n,
    });
    const after = await pay(payment, amount);
    expect(after.status).toBe('COMPLETE');
    expect(await shares(RECEIVER)).toBe(before + 60n * ONE_USDC);
    expect(await stack.balance(USDC, payment.destinationAddress)).toBe(40n * ONE_USDC);
    expect(after.legs[0]).toMatchObject({ settlement: { input: amount, output: amount } });
    const [, step] = fulfilledRoute(after);
    expect(step).toMatchObject({
      status: 'COMPLETE',
      transaction_hash: after.legs[0]?.transactionHash,
    });
    const hash = after.legs[0]?.transactionHash as `0x${string}`;
    expect((await stack.node.getTransaction({ hash })).gas).toBe(900_000n);
  });

  it('makes them after a conversion, in its transaction, by a contract of this payment alone', async () => {
    service = await stack.startProcess();
    const before = await shares(RECEIVER);
    const amount = 10n ** 17n;
    const payment = await stack.confirm(service, {
      ...{ input: WETH, output: USDC, amount },
      customActions: depositing(200n * ONE_USDC),
      gasLimit: 1_200_000n,
    });
    await stack.send(WETH, payment.walletAddress, amount);
    const after = await ended(payment);
    expect(after.status).toBe('COMPLETE');
    expect(await shares(RECEIVER)).toBe(before + 200n * ONE_USDC);
    expect(await stack.balance(USDC, payment.destinationAddress)).toBeGreaterThan(0n);
    const hash = after.legs[0]?.transactionHash as `0x${string}`;
    const { logs } = await stack.node.getTransactionReceipt({ hash });
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs });
    const wallet = getAddress(payment.walletAddress);
    expect(transfers).toContainEqual(
      expect.objectContaining({
        address: parseTokenIdentifier(WETH).address,
        args: expect.objectContaining({ from: wallet }) as unknown,
      }),
    );
    const { actionRunnerFactory = wallet } = chainDefinitions['alphanet']?.contracts ?? {};
    const { address: runner } = actionRunner(actionRunnerFactory, wallet);
    expect(transfers.filter(({ args }) => args.to === usdcVault)).toMatchObject([
      { args: { from: runner, value: 200n * ONE_USDC } },
    ]);
  });

  it('counts what they send to the wallet as a deposit, not as input that was returned', async () => {
    service = await stack.startProcess();
    const amount = ONE_USDC;
    const given = 50n * ONE_USDC;
    await stack.send(USDC, GIVING, given);
    const giving = {
      type: 'CallImmediateAction' as const,
      target: GIVING,
      value: '0',
      calldata: '0x12345678',
    };
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount },
      customActions: { actions: [giving], user_estimated_gas: '200000' },
      gasLimit: 900_000n,
    });
    const value = pad(payment.walletAddress as Address);
    await stack.node.setStorageAt({ address: GIVING, index: toHex(0, { size: 32 }), value });
    const after = await pay(payment, amount);
    expect(after.status).toBe('COMPLETE');
    expect(after.legs[0]).toMatchObject({ settlement: { input: amount, output: amount } });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(given);
    const found = await eventually(async () => {
      const now = await stack.read(payment.id);
      expect(now.deposits.map((deposit) => deposit.confirmed)).toEqual([true, true]);
      return now;
    });
    expect(holdings(found)).toMatchObject([{ token: USDC, amount: given }]);
    expect(fulfilledRoute(found)[1]?.net_effect.consume).toMatchObject([
      { account: 'SPW', resource: { asset: USDC }, amount: '1' },
    ]);
  });

  it.each([
    ['revert', depositing(200n * ONE_USDC)],
    [
      'burn more gas than the payment pays for',
      {
        actions: [
          {
            type: 'CallImmediateAction' as const,
            target: LOOPING,
            value: '0',
            calldata: '0x12345678',
          },
        ],
        user_estimated_gas: '1000',
      },
    ],
  ])('fails the leg with the money in the wallet where calls %s', async (_, customActions) => {
    service = await stack.startProcess();
    const amount = 100n * ONE_USDC;
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount, customActions },
      gasLimit: 900_000n,
    });
    const after = await pay(payment, amount);
    expect(after.status).toBe('FAILED');
    expect(after.legs[0]).toMatchObject({ status: 'FAILED', failure: { reason: 'reverted' } });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(amount);
    // Simulated before it is sent: nothing was spent on it.
    const sent = await stack.sql(`SELECT 1 FROM chain_transactions WHERE reference LIKE $1`, [
      `leg:${payment.id}:%`,
    ]);
    expect(sent).toEqual([]);
  });
});
