import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { parseGwei } from 'viem';
import type { Address, Hash } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { NATIVE, PaymentStack } from '../testing/payment-stack.fixture.js';
import type { PaymentWish } from '../testing/payment-stack.fixture.js';

/** Burns 3 million gas: hashes 1,184,000 bytes of memory. */
const BURNING_CODE = '0x621211005f205000';
/** The same where `GASPRICE` is not 0: in transactions, not in simulations. */
const BURNING_ON_CHAIN_CODE = '0x3a15600c57621211005f20505b00';
/** Reverts where `GASPRICE` is not 0. */
const REVERTING_ON_CHAIN: Address = '0x5555555555555555555555555555555555555555';
const REVERTING_ON_CHAIN_CODE = '0x3a156008575f5ffd5b00';
const LIMIT = 500_000n;
const [, , executor] = developmentAccounts;

describe('the gas of a leg', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_PATIENCE_MS: '1000', EXECUTION_RETRY_MS: '200' });
    await stack.node.setCode({ address: REVERTING_ON_CHAIN, bytecode: REVERTING_ON_CHAIN_CODE });
    service = await stack.startProcess();
  });
  afterAll(() => stack.stop());

  const ended = (payment: PaymentRecord) =>
    eventually(async () => {
      const now = await stack.read(payment.id);
      if (now.status === 'PENDING') throw new Error('still pending');
      return now;
    });
  const paidOut = async (code: Hash, wish: Partial<PaymentWish> = {}) => {
    const amount = 10n ** 16n;
    const payment = await stack.confirm(service, {
      input: NATIVE,
      output: NATIVE,
      amount,
      ...wish,
    });
    const destination = payment.destinationAddress as Address;
    await stack.node.setCode({ address: destination, bytecode: code });
    await stack.send(NATIVE, payment.walletAddress, amount);
    const after = await ended(payment);
    return { after, left: await stack.balance(NATIVE, payment.walletAddress), amount };
  };
  const executorBalance = () => stack.node.getBalance({ address: executor.address });
  const recorded = ({ id }: PaymentRecord) =>
    stack.sql<{ gas_limit: string }>(
      `SELECT gas_limit FROM chain_transactions WHERE reference LIKE $1`,
      [`leg:${id}:%`],
    );

  it.each([
    ['planned', { gasLimit: LIMIT }],
    ['fixed, for plans of older versions', {}],
  ])('is limited: %s', async (_, wish) => {
    const { after, left, amount } = await paidOut(BURNING_CODE, wish);
    expect(after.status).toBe('FAILED');
    expect(after.legs[0]).toMatchObject({ status: 'FAILED', failure: { reason: 'reverted' } });
    expect(left).toBe(amount);
    expect(await recorded(after)).toEqual([]);
  });

  it('is lost at most five times to a destination that burns it on chain only', async () => {
    const gasCost = 200_000n * parseGwei('2');
    const before = await executorBalance();
    const wish = { gasLimit: LIMIT, gasCost };
    const { after, left, amount } = await paidOut(BURNING_ON_CHAIN_CODE, wish);
    expect(after.status).toBe('FAILED');
    expect(left).toBe(amount);
    const lost = before - (await executorBalance());
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThanOrEqual(5n * 3n * gasCost);
    const sent = await recorded(after);
    expect(sent).toHaveLength(5);
    for (const { gas_limit } of sent) expect(BigInt(gas_limit)).toBeLessThanOrEqual(LIMIT);
  });

  it('pays destinations whose code needs little', async () => {
    const { after } = await paidOut('0x00', { gasLimit: LIMIT });
    expect(after.status).toBe('COMPLETE');
  });

  it('is lost once to custom actions that revert on chain only', async () => {
    const amount = 100_000_000n;
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount, gasLimit: 900_000n },
      customActions: {
        actions: [
          {
            type: 'CallImmediateAction',
            target: REVERTING_ON_CHAIN,
            value: '0',
            calldata: '0x12345678',
          },
        ],
        user_estimated_gas: '200000',
      },
    });
    await stack.send(USDC, payment.walletAddress, amount);
    const after = await ended(payment);
    expect(after.status).toBe('FAILED');
    expect(after.legs[0]).toMatchObject({ attempts: 1, failure: { reason: 'reverted', tries: 1 } });
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(amount);
    expect(await recorded(after)).toEqual([{ gas_limit: '900000' }]);
    const hash = after.legs[0]?.transactionHash as Hash;
    expect((await stack.node.getTransactionReceipt({ hash })).status).toBe('reverted');
  });
});
