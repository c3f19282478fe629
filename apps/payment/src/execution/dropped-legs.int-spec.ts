import type { RunningService } from '@bascule/service-host';
import type { StandInKms } from '@bascule/signers/testing';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseGwei } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startExecutorKms } from '../testing/executor-kms.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;
const GAS_COST = 200_000n * parseGwei('2');
/** Each signature is then one request. */
const REFUSED = { status: 403, code: 'AccessDenied' };
const MAX_TRANSACTIONS = 2;

describe('a leg whose transactions are dropped', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let kms: StandInKms;

  beforeAll(async () => {
    const executor = await startExecutorKms();
    ({ kms } = executor);
    stack = await PaymentStack.start({
      ...executor.environment,
      EXECUTION_MAX_TRANSACTIONS: `${MAX_TRANSACTIONS}`,
      EXECUTION_RETRY_MS: '300',
      TRANSACTION_REPLACE_AFTER_MS: '1',
    });
    service = await stack.startProcess();
  });
  afterAll(async () => {
    await stack.stop();
    await kms.stop();
  });

  const down = () => kms.misbehave(...Array.from({ length: 10_000 }, () => REFUSED));
  /** Waits until a signature was asked for that began after this call. */
  const anotherIsAskedFor = async () => {
    const before = kms.requests.length;
    await eventually(() => expect(kms.requests.length).toBeGreaterThan(before + 1), {
      timeoutMs: 60_000,
    });
  };
  const baseFee = async (gwei: string) => {
    await stack.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await stack.node.mine({ blocks: 1 });
  };
  const transactionsOf = ({ id }: PaymentRecord) =>
    stack.sql<{ status: string; purpose: string | null }>(
      `SELECT status, (SELECT purpose FROM chain_transaction_attempts
         WHERE transaction_id = t.id ORDER BY number LIMIT 1) AS purpose
       FROM chain_transactions t WHERE reference LIKE $1 ORDER BY nonce`,
      [`leg:${id}:%`],
    );
  const newestBecomes = (payment: PaymentRecord, count: number, expected: object) =>
    eventually(
      async () => {
        const transactions = await transactionsOf(payment);
        expect(transactions).toHaveLength(count);
        expect(transactions.at(-1)).toMatchObject(expected);
      },
      { timeoutMs: 60_000 },
    );

  it('goes on after as many as may revert, as long as they cost little, and pays', async () => {
    down();
    const payment = await stack.confirm(service, {
      ...{ input: USDC, output: USDC, amount: AMOUNT },
      gasCost: GAS_COST,
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    for (let count = 1; count <= MAX_TRANSACTIONS; count += 1) {
      await newestBecomes(payment, count, { status: 'pending', purpose: null });
      await stack.stopMining();
      // The leg costs more than its bound now, a cancellation does not.
      await baseFee('20');
      await anotherIsAskedFor();
      kms.misbehave();
      await newestBecomes(payment, count, { purpose: 'cancellation' });
      down();
      await baseFee('1');
      await stack.resumeMining();
      await eventually(
        async () => {
          const transactions = await transactionsOf(payment);
          expect(transactions[count - 1]).toMatchObject({ status: 'dropped' });
        },
        { timeoutMs: 60_000 },
      );
    }
    kms.misbehave();
    await stack.expectToBecome(payment, {
      status: 'COMPLETE',
      legs: [{ attempts: MAX_TRANSACTIONS + 1 }],
    });
  });
});
