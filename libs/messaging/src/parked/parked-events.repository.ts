import { identifier } from '@bascule/persistence';
import type { DataSource, EntityManager } from 'typeorm';
import type { IncomingRecord } from '../transport/transport.js';

export interface ParkedRow {
  id: string;
  topic: string;
  partition: number;
  offset: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer;
  attempts: number;
}

/** Row claimed by a worker until its lease ends. */
export interface ClaimedRow extends ParkedRow {
  /** Null in rows of older versions. */
  failureGroup: string | null;
  /** End of the lease in the database's text form; a fence for every write to the row. */
  claimedUntil: string;
}

/** A record with a key and a value. */
export type KeyedRecord = IncomingRecord & { key: string; value: Buffer };

/** Reason of an event that an operator replayed, until its first attempt. */
export const REPLAYED = 'replayed';

/** Columns of a claimed row, as SQL. */
export const CLAIMED_COLUMNS = [
  'id',
  'topic',
  'partition',
  'offset',
  'key',
  'headers',
  'value',
  'attempts',
]
  .map((column) => `parked_events.${identifier(column)}`)
  .concat(
    'parked_events.failure_group AS "failureGroup"',
    'parked_events.due_at::text AS "claimedUntil"',
  )
  .join(', ');

interface Failure {
  attempts: number;
  reason: string | null;
  delayMs: number;
  /** Group in which the failure counts. */
  group: string | null;
}

const INSERT = `
  INSERT INTO parked_events (topic, partition, "offset", key, headers, value, attempts, reason, failure_group, due_at)
  SELECT $1, $2::integer, $3::bigint, $4, $5::jsonb, $6::bytea, $7::integer, $8::text, $10::text,
    CASE WHEN EXISTS (SELECT 1 FROM parked_events WHERE topic = $1 AND key = $4) THEN NULL
    ELSE clock_timestamp() + $9::double precision * interval '1 millisecond' END`;

const CLAIM_PROBES = `
  WITH oldest AS MATERIALIZED (
    SELECT id FROM (
      SELECT DISTINCT ON (failure_group) id, due_at FROM parked_events
      WHERE topic = $1 AND due_at <= now() ORDER BY failure_group, due_at
    ) AS of_groups
    ORDER BY due_at LIMIT $2
  ), due AS MATERIALIZED (
    SELECT parked_events.id AS claimed_id FROM parked_events JOIN oldest USING (id)
    WHERE due_at <= now() FOR UPDATE OF parked_events SKIP LOCKED
  )
  UPDATE parked_events SET due_at = now() + $3 * interval '1 millisecond'
  FROM due WHERE id = due.claimed_id
  RETURNING ${CLAIMED_COLUMNS}`;

/** The queues of parked events, one per key. Only the first of a queue has a `due_at`. */
export class ParkedEventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async parkedKeys(topic: string, keys: readonly string[]): Promise<string[]> {
    const rows: { key: string }[] = await this.dataSource.query(
      'SELECT DISTINCT key FROM parked_events WHERE topic = $1 AND key = ANY ($2)',
      [topic, keys],
    );
    return rows.map((row) => row.key);
  }

  /** Appends a record to its key's queue; the head is due after the delay. */
  async park(record: KeyedRecord, failure: Failure): Promise<void> {
    await this.dataSource.transaction((manager) => this.parkWithin(manager, record, failure));
  }

  /** Parks within the caller's transaction. */
  async parkWithin(manager: EntityManager, record: KeyedRecord, failure: Failure): Promise<void> {
    await lockQueue(manager, record);
    await insert(manager, record, failure);
  }

  /** Appends a record if its key has a queue; false when the record may be handled. */
  async queueBehind(record: KeyedRecord, group: string | null): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await lockQueue(manager, record);
      const others: unknown[] = await manager.query(
        'SELECT 1 FROM parked_events WHERE topic = $1 AND key = $2 LIMIT 1',
        [record.topic, record.key],
      );
      if (others.length === 0) return false;
      await insert(manager, record, { attempts: 0, reason: null, delayMs: 0, group });
      return true;
    });
  }

  /** Renews the lease; false when another worker holds the row. */
  async renew(row: ClaimedRow, leaseMs: number): Promise<boolean> {
    const [rows]: [{ claimedUntil: string }[], number] = await this.dataSource.query(
      `UPDATE parked_events SET due_at = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE id = $1 AND due_at = $2::timestamptz RETURNING due_at::text AS "claimedUntil"`,
      [row.id, row.claimedUntil, leaseMs],
    );
    const [renewed] = rows;
    if (renewed !== undefined) row.claimedUntil = renewed.claimedUntil;
    return renewed !== undefined;
  }

  async postpone(row: ClaimedRow, delayMs: number, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE parked_events SET attempts = attempts + 1, reason = $3,
         due_at = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE id = $1 AND due_at = $2::timestamptz`,
      [row.id, row.claimedUntil, reason, delayMs],
    );
  }

  /** Makes the row due after the delay without counting an attempt. */
  async defer(row: ClaimedRow, delayMs: number, reason: string | null = null): Promise<void> {
    await this.dataSource.query(
      `UPDATE parked_events SET due_at = clock_timestamp() + $3 * interval '1 millisecond',
         reason = coalesce($4::text, reason)
       WHERE id = $1 AND due_at = $2::timestamptz`,
      [row.id, row.claimedUntil, delayMs, reason],
    );
  }

  /** Claims due events of a topic, at most one of each group, oldest first. */
  async claimProbes(topic: string, limit: number, leaseMs: number): Promise<ClaimedRow[]> {
    const [rows]: [ClaimedRow[], number] = await this.dataSource.query(CLAIM_PROBES, [
      topic,
      limit,
      leaseMs,
    ]);
    return rows;
  }

  /** Removes a handled row; the next of its key becomes due. */
  async remove(row: ClaimedRow): Promise<void> {
    await this.dataSource.transaction((manager) => removeFirst(manager, row));
  }

  /** Removes a dead-lettered row in one transaction with `write`; the next of its key becomes due. */
  async giveUp(row: ClaimedRow, write: (manager: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (await removeFirst(manager, row)) await write(manager);
    });
  }
}

/** Serialises parking and finishing per queue, so that no row waits without a head. */
async function lockQueue(
  manager: EntityManager,
  of: { topic: string; key: string },
): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1))', [
    `${of.topic}/${of.key}`,
  ]);
}

async function insert(
  manager: EntityManager,
  record: KeyedRecord,
  failure: Failure,
): Promise<void> {
  await manager.query(`${INSERT} ON CONFLICT (topic, partition, "offset", md5(value)) DO NOTHING`, [
    record.topic,
    record.partition,
    record.offset.toString(),
    record.key,
    JSON.stringify(record.headers),
    record.value,
    failure.attempts,
    failure.reason,
    failure.delayMs,
    failure.group,
  ]);
}

/** Deletes the row; false when another worker holds it and continues the queue. */
async function removeFirst(manager: EntityManager, row: ClaimedRow): Promise<boolean> {
  await lockQueue(manager, row);
  const [, removed]: [unknown, number] = await manager.query(
    'DELETE FROM parked_events WHERE id = $1 AND due_at = $2::timestamptz',
    [row.id, row.claimedUntil],
  );
  if (removed === 0) return false;
  await manager.query(
    `UPDATE parked_events SET due_at = clock_timestamp() WHERE due_at IS NULL AND id =
       (SELECT id FROM parked_events WHERE topic = $1 AND key = $2 ORDER BY id LIMIT 1)`,
    [row.topic, row.key],
  );
  return true;
}
