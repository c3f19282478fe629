import type { EntityManager } from 'typeorm';

/** Keeps others from changing a payment, or adding deposits to it, until the transaction ends. */
export async function lockPayment(manager: EntityManager, paymentId: string): Promise<void> {
  await manager.query('SELECT 1 FROM payments WHERE id = $1 FOR UPDATE', [paymentId]);
}
