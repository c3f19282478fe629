import type { EntityManager } from 'typeorm';
import { partitionOf } from '../partitioner.js';
import type { OutgoingRecord } from '../transport.js';

interface PartitionRow {
  topic: string;
  partition: number;
  next_offset: string;
}

const LOCK_PARTITIONS = `
  SELECT p.topic, p.partition, p.next_offset
  FROM event_log.partitions p
  JOIN unnest($1::text[], $2::integer[]) AS wanted (topic, partition) USING (topic, partition)
  ORDER BY p.topic, p.partition
  FOR UPDATE OF p`;

const INSERT_RECORDS = `
  INSERT INTO event_log.records (topic, partition, "offset", key, headers, value)
  SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::text[], $5::jsonb[], $6::bytea[])`;

const MOVE_ENDS = `
  UPDATE event_log.partitions p SET next_offset = moved.next_offset
  FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS moved (topic, partition, next_offset)
  WHERE p.topic = moved.topic AND p.partition = moved.partition`;

const address = (topic: string, partition: number): string => `${topic}/${partition}`;

/**
 * In one transaction. The partitions' rows stay locked until it commits, so offsets become visible in their order and a
 * reader never passes one that appears later.
 */
export async function appendRecords(
  manager: EntityManager,
  records: readonly OutgoingRecord[],
  partitionsOf: (topic: string) => number,
): Promise<void> {
  const placed = records.map((record) => ({
    ...record,
    partition: partitionOf(record.key, partitionsOf(record.topic)),
  }));
  const wanted = [...new Map(placed.map((r) => [address(r.topic, r.partition), r])).values()];
  const locked: PartitionRow[] = await manager.query(LOCK_PARTITIONS, [
    wanted.map((r) => r.topic),
    wanted.map((r) => r.partition),
  ]);
  const next = new Map(locked.map((p) => [address(p.topic, p.partition), BigInt(p.next_offset)]));
  const offsets = placed.map((record) => takeOffset(next, record));
  await manager.query(INSERT_RECORDS, [
    placed.map((r) => r.topic),
    placed.map((r) => r.partition),
    offsets,
    placed.map((r) => r.key),
    placed.map((r) => JSON.stringify(r.headers)),
    placed.map((r) => r.value),
  ]);
  await manager.query(MOVE_ENDS, [
    locked.map((p) => p.topic),
    locked.map((p) => p.partition),
    locked.map((p) => String(next.get(address(p.topic, p.partition)))),
  ]);
}

function takeOffset(
  next: Map<string, bigint>,
  record: { topic: string; partition: number },
): string {
  const at = address(record.topic, record.partition);
  const offset = next.get(at);
  if (offset === undefined) throw new Error(`the event log has no partition ${at}`);
  next.set(at, offset + 1n);
  return offset.toString();
}
