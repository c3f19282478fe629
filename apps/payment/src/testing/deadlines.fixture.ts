import { expect } from '@jest/globals';
import { eventually } from '@bascule/testing';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentStack } from './payment-stack.fixture.js';

const PATIENCE = { timeoutMs: 60_000 };

/** Has final blocks pass the end of a payment's funding by so many seconds, and its deadline checked. */
export async function passDeadline(
  stack: PaymentStack,
  payment: PaymentRecord,
  seconds: number,
): Promise<void> {
  // The newest block of a chain that has just started is old.
  await stack.node.mine({ blocks: 1 });
  const until = await minePast(stack, payment, seconds);
  await stack.node.mine({ blocks: 2 });
  const sql = 'SELECT confirmed_block_timestamp AS at FROM chain_cursors';
  await eventually(async () => {
    const [row] = await stack.sql<{ at: Date }>(sql);
    expect(row?.at.getTime()).toBeGreaterThanOrEqual(until);
  }, PATIENCE);
  await checkDeadline(stack, payment);
}

/** Mines one block after the end of a payment's funding; its time is at least the result, in milliseconds. */
export async function minePast(
  stack: PaymentStack,
  { initiateFundBy }: PaymentRecord,
  seconds: number,
): Promise<number> {
  const { timestamp } = await stack.node.getBlock();
  const until = initiateFundBy.getTime() + seconds * 1_000;
  await stack.alphanet.letTimePass(Math.ceil(until / 1_000) - Number(timestamp));
  return until;
}

/** Has the deadlines of a payment checked. */
export async function checkDeadline(stack: PaymentStack, { id }: PaymentRecord): Promise<void> {
  await stack.sql('UPDATE payments SET due_at = now() WHERE id = $1', [id]);
  await eventually(async () => {
    const sql = 'SELECT FROM payments WHERE id = $1 AND due_at <= now()';
    expect(await stack.sql(sql, [id])).toEqual([]);
  }, PATIENCE);
}
