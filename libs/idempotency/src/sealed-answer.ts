import { faultPoint } from '@bascule/process';
import type { EntityManager } from 'typeorm';

/** Encrypted answer, which the transaction of its effect stores. */
export interface SealedAnswer {
  identity: Buffer;
  answer: string;
  /** False where the client's answer follows after the transaction. */
  isFinal: boolean;
}

const EXPIRY = `now() + interval '24 hours'`;

/** Stores an answer in the transaction of its effect. A second one with its identity fails on the primary key. */
export async function insertAnswer(
  manager: EntityManager,
  { identity, answer, isFinal }: SealedAnswer,
): Promise<void> {
  await manager.query(
    `INSERT INTO idempotency_records (identity, answer, is_final, expires_at)
     VALUES ($1, $2, $3, ${EXPIRY})`,
    [identity, answer, isFinal],
  );
  faultPoint('idempotency.stored');
}

/**
 * Returns the same insert as a part of the effect's own statement, for a final answer. It inserts one row for each row
 * of `source`; `identity` and `answer` are parameters, as `$1`.
 */
export const insertAnswerOf = (source: string, identity: string, answer: string): string =>
  `INSERT INTO idempotency_records (identity, answer, is_final, expires_at)
  SELECT ${identity}::bytea, ${answer}::text, true, ${EXPIRY} FROM ${source}`;
