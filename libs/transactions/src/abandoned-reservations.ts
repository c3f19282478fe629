import type { DataSource } from 'typeorm';
import type { Address } from 'viem';

/** Transactions of a key without an outcome. */
export interface WaitingForKey {
  chain: string;
  signer: Address;
  waiting: number;
  /** Count of those that the key has not signed. */
  unsigned: number;
  /** When the oldest was reserved. */
  since: Date;
}

export interface AbandonedReservation {
  reference: string;
  nonce: string;
}

/** A key on one chain. */
export interface KeyOnChain {
  chain: string;
  signer: Address;
}

const UNSIGNED = `NOT EXISTS (SELECT FROM chain_transaction_attempts WHERE transaction_id = t.id)`;
const WAITING = `t.status = 'pending' AND t.due_at IS NOT NULL`;
const OF_KEY = `t.chain = $1 AND t.signer = $2 AND ${WAITING}`;

/** Lists what waits for each key, the oldest first. */
export function waitingForKeys(dataSource: DataSource): Promise<WaitingForKey[]> {
  return dataSource.query(
    `SELECT t.chain, t.signer, count(*)::int AS waiting,
       count(*) FILTER (WHERE ${UNSIGNED})::int AS unsigned, min(t.created_at) AS since
     FROM chain_transactions t WHERE ${WAITING}
     GROUP BY t.chain, t.signer ORDER BY since`,
  );
}

/**
 * Gives up the reservations that a lost key has not signed: `TransactionWorker` reports them as dropped, and their work is
 * recorded again for another key. A repeated call finds none.
 */
export function abandonUnsigned(
  dataSource: DataSource,
  { chain, signer }: KeyOnChain,
  actor: string,
): Promise<AbandonedReservation[]> {
  return dataSource.transaction(async (manager) => {
    // Waits for signatures that are being stored, so that the next statement sees them.
    await manager.query(`SELECT FROM chain_transactions t WHERE ${OF_KEY} FOR UPDATE`, [
      chain,
      signer,
    ]);
    const [abandoned]: [AbandonedReservation[], number] = await manager.query(
      `UPDATE chain_transactions t SET abandoned_at = now(), abandoned_by = $3, due_at = now()
       WHERE ${OF_KEY} AND t.abandoned_at IS NULL AND ${UNSIGNED}
       RETURNING t.reference, t.nonce`,
      [chain, signer, actor],
    );
    return abandoned;
  });
}
