import type { DataSource } from 'typeorm';
import type { SealedAnswer } from './sealed-answer.js';

export const RECORDS_KEY = 'idempotency_records_pkey';

export interface StoredAnswer {
  answer: string;
  is_final: boolean;
}

/** Removes an expired record of the identity in passing, so that it does not refuse the next effect. */
const FIND = `
WITH expired AS (
  DELETE FROM idempotency_records WHERE identity = $1 AND expires_at <= now()
)
SELECT answer, is_final FROM idempotency_records WHERE identity = $1 AND expires_at > now()`;

const PURGE = `
DELETE FROM idempotency_records WHERE identity IN (
  SELECT identity FROM idempotency_records WHERE expires_at <= now()
  ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
)`;

/** Reads, completes and removes stored answers; the effects insert them. */
export class IdempotencyRecords {
  constructor(private readonly dataSource: DataSource) {}

  async find(identity: Buffer): Promise<StoredAnswer | null> {
    const rows: StoredAnswer[] = await this.dataSource.query(FIND, [identity]);
    return rows[0] ?? null;
  }

  /** Makes an answer final; false when another request has done so, or no effect is stored. */
  async complete({ identity, answer }: SealedAnswer): Promise<boolean> {
    const [, completed]: [unknown, number] = await this.dataSource.query(
      `UPDATE idempotency_records SET answer = $2, is_final = true
       WHERE identity = $1 AND NOT is_final`,
      [identity, answer],
    );
    return completed > 0;
  }

  /** Deletes up to `limit` expired records and returns how many. */
  async purge(limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.dataSource.query(PURGE, [limit]);
    return deleted;
  }

  /** Seconds by which the oldest expired record is overdue for removal. */
  async overdueSeconds(): Promise<number> {
    const rows: { seconds: number }[] = await this.dataSource.query(
      `SELECT coalesce(greatest(extract(epoch FROM now() - min(expires_at)), 0), 0)::float8 AS seconds
       FROM idempotency_records`,
    );
    return rows[0]?.seconds ?? 0;
  }
}
