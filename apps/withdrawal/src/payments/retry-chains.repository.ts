import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Payments that are followed upwards; bounds the work that a caller can cause by retrying retries. */
const MAX_DEPTH = 32;

/** `open` while the last payment found has a parent. */
const ROOT = `
  WITH RECURSIVE chain AS (
    SELECT id, parent_payment_id, 1 AS depth FROM payments WHERE id = $1
    UNION ALL
    SELECT parent.id, parent.parent_payment_id, depth + 1
    FROM chain JOIN payments parent ON parent.id = chain.parent_payment_id
    WHERE depth < $2
  )
  SELECT coalesce(parent_payment_id, id) AS root, depth = $2 AND parent_payment_id IS NOT NULL AS open
  FROM chain ORDER BY depth DESC LIMIT 1`;

/** Finds the payment that a chain of retries began with. */
@Injectable()
export class RetryChainsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Id of the first payment; null for a chain that is longer than `MAX_DEPTH`. */
  async rootOf(paymentId: string): Promise<string | null> {
    const [row]: { root: string; open: boolean }[] = await this.dataSource.query(ROOT, [
      paymentId,
      MAX_DEPTH,
    ]);
    return row === undefined || row.open ? null : row.root;
  }
}
