import {
  fenceParameters,
  type LeaseFence,
  LeaseLostError,
  lockingLease,
} from '@bascule/persistence';
import type { DataSource } from 'typeorm';
import { partitionOf } from '../partitioner.js';
import type { OutgoingRecord } from '../transport.js';
import { EVENT_LOG_CHANNEL, notificationPayload } from './notifications.js';

/**
 * Appends records in one statement, which is its own transaction, so a publish waits for one round trip. It locks the
 * lease first: the next leader acquires it after the commit, and from then on nothing is appended. Partition rows are
 * locked in one order until the commit, so offsets become visible in order and a reader never passes a later one. A
 * missing partition yields a null offset, which fails the whole statement. The statement also notifies readers.
 */
const appendUnder = (fence: string): string => `
  WITH fence AS (${fence}), locked AS (
    SELECT p.topic, p.partition, a.records
    FROM event_log.partitions p
    JOIN unnest($1::text[], $2::integer[], $3::bigint[]) AS a (topic, partition, records)
      USING (topic, partition)
    WHERE EXISTS (SELECT FROM fence)
    ORDER BY p.topic, p.partition
    FOR UPDATE OF p
  ), moved AS (
    UPDATE event_log.partitions p SET next_offset = p.next_offset + l.records
    FROM locked l WHERE p.topic = l.topic AND p.partition = l.partition
    RETURNING p.topic, p.partition, p.next_offset - l.records AS first_offset
  ), appended AS (
    INSERT INTO event_log.records (topic, partition, "offset", key, headers, value)
    SELECT r.topic, r.partition, m.first_offset + r.place, r.key, r.headers, r.value
    FROM unnest($4::text[], $5::integer[], $6::bigint[], $7::text[], $8::jsonb[], $9::bytea[])
      AS r (topic, partition, place, key, headers, value)
    LEFT JOIN moved m USING (topic, partition)
    WHERE EXISTS (SELECT FROM fence)
  )
  SELECT pg_notify($10, $11) FROM fence`;

const APPEND = appendUnder('SELECT 1');
const FENCED_APPEND = appendUnder(lockingLease(12));

interface Partition {
  topic: string;
  partition: number;
  records: number;
}

/** @throws LeaseLostError when the fence is no longer held; nothing is appended then */
export async function appendRecords({
  dataSource,
  records,
  partitionsOf,
  fence,
}: {
  dataSource: DataSource;
  records: readonly OutgoingRecord[];
  partitionsOf: (topic: string) => number;
  fence: LeaseFence | undefined;
}): Promise<void> {
  const partitions = new Map<string, Partition>();
  const placed = records.map((record) => {
    const { topic } = record;
    const partition = partitionOf(record.key, partitionsOf(topic));
    const address = `${topic}/${partition}`;
    const place = partitions.get(address)?.records ?? 0;
    partitions.set(address, { topic, partition, records: place + 1 });
    return { ...record, partition, place };
  });
  const touched = [...partitions.values()];
  const appended: unknown[] = await dataSource.query(fence === undefined ? APPEND : FENCED_APPEND, [
    touched.map((p) => p.topic),
    touched.map((p) => p.partition),
    touched.map((p) => p.records),
    placed.map((r) => r.topic),
    placed.map((r) => r.partition),
    placed.map((r) => r.place),
    placed.map((r) => r.key),
    placed.map((r) => JSON.stringify(r.headers)),
    placed.map((r) => r.value),
    EVENT_LOG_CHANNEL,
    notificationPayload(touched.map((p) => p.topic)),
    ...(fence === undefined ? [] : fenceParameters(fence)),
  ]);
  if (fence !== undefined && appended.length === 0) throw new LeaseLostError(fence.name);
}
