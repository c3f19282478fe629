import type { DataSource } from 'typeorm';
import type { Position } from '../offset-commits.js';
import type { IncomingRecord, PartitionProgress, TopicPartition } from '../transport.js';

const FETCH = `
  SELECT r.topic, r.partition, r."offset", r.key, r.headers, r.value
  FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS p (topic, partition, next)
  CROSS JOIN LATERAL (
    SELECT * FROM event_log.records r
    WHERE r.topic = p.topic AND r.partition = p.partition AND r."offset" >= p.next
    ORDER BY r."offset" LIMIT $4
  ) r
  ORDER BY r.topic, r.partition, r."offset"`;

const PROGRESS = `
  SELECT p.topic, p.partition, coalesce(g.next_offset, 0) AS committed, p.next_offset AS "end"
  FROM event_log.partitions p
  LEFT JOIN event_log.group_offsets g
    ON g.group_name = $1 AND g.topic = p.topic AND g.partition = p.partition
  WHERE p.topic = ANY ($2)`;

const COMMIT = `
  INSERT INTO event_log.group_offsets AS kept (group_name, topic, partition, next_offset)
  SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::bigint[])
  ON CONFLICT (group_name, topic, partition) DO UPDATE SET next_offset = excluded.next_offset
  WHERE kept.next_offset < excluded.next_offset`;

interface RecordRow extends TopicPartition {
  offset: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer | null;
}

interface ProgressRow extends TopicPartition {
  committed: string;
  end: string;
}

/** At most `limit` records of each partition, from its position on. */
export async function fetchRecords(
  dataSource: DataSource,
  positions: readonly Position[],
  limit: number,
): Promise<IncomingRecord[]> {
  const rows: RecordRow[] = await dataSource.query(FETCH, [
    positions.map((p) => p.topic),
    positions.map((p) => p.partition),
    positions.map((p) => p.next.toString()),
    limit,
  ]);
  return rows.map((row) => ({ ...row, offset: BigInt(row.offset) }));
}

export async function groupProgress(
  dataSource: DataSource,
  group: string,
  topics: readonly string[],
): Promise<PartitionProgress[]> {
  const rows: ProgressRow[] = await dataSource.query(PROGRESS, [group, topics]);
  return rows.map((row) => ({
    topic: row.topic,
    partition: row.partition,
    committed: BigInt(row.committed),
    end: BigInt(row.end),
  }));
}

export async function commitOffsets(
  dataSource: DataSource,
  group: string,
  positions: readonly Position[],
): Promise<void> {
  await dataSource.query(COMMIT, [
    group,
    positions.map((p) => p.topic),
    positions.map((p) => p.partition),
    positions.map((p) => p.next.toString()),
  ]);
}
