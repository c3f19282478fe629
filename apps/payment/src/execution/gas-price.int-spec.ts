import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { parseGwei } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;
const WISH = { input: USDC, output: USDC, amount: AMOUNT };

describe('a leg whose gas costs more than the quote allows', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start();
    service = await stack.startProcess();
  });
  afterAll(() => stack.stop());

  const baseFee = async (gwei: string) => {
    await stack.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await stack.node.mine({ blocks: 1 });
  };
  const transactionsOf = ({ id }: PaymentRecord) =>
    stack.sql<{ max_cost: string; gas_cost: string | null }>(
      `SELECT max_cost, gas_cost FROM chain_transactions WHERE reference LIKE $1`,
      [`leg:${id}:%`],
    );
  const waits = ({ id }: PaymentRecord) =>
    eventually(async () => {
      const rows = await stack.sql<{ reason: string }>(
        `SELECT facts->>'reason' AS reason FROM timeline_entries
         WHERE payment_id = $1 AND type = 'leg.waiting'`,
        [id],
      );
      expect(rows.map(({ reason }) => reason)).toContain('gas costs more than the quote allows');
    });

  it('waits for cheaper gas, then pays within its bound', async () => {
    const gasCost = 200_000n * parseGwei('2');
    await baseFee('900');
    const payment = await stack.confirm(service, { ...WISH, gasCost });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await waits(payment);
    expect(await transactionsOf(payment)).toEqual([]);
    await baseFee('1');
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const maxCost = (3n * gasCost).toString();
    const [spent, ...others] = await eventually(async () => {
      const rows = await transactionsOf(payment);
      expect(rows).toMatchObject([{ max_cost: maxCost, gas_cost: expect.any(String) }]);
      return rows;
    });
    expect(others).toEqual([]);
    expect(BigInt(spent?.gas_cost ?? 0)).toBeLessThanOrEqual(3n * gasCost);
  });

  it('fails at its deadline without a transaction, and the owner has the money', async () => {
    const limits = { expirationSeconds: 6, executionWindowMs: 0 };
    const payment = await stack.confirm(service, { ...WISH, ...limits, gasCost: 1n });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await waits(payment);
    const failed = await stack.expectToBecome(payment, { status: 'FAILED' });
    expect(failed.legs[0]).toMatchObject({ attempts: 0, failure: { reason: 'expired' } });
    expect(await transactionsOf(payment)).toEqual([]);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(AMOUNT);
  });
});
