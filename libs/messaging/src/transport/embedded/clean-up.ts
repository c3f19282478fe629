import type { DataSource } from 'typeorm';

const EXPIRED = `coalesce(t.keep_ms, ${14 * 86_400_000}) * interval '1 millisecond'`;

/**
 * Removes superseded records of compacted topics, and old tombstones. As in Kafka, records younger than the compaction
 * lag are neither removed nor supersede others.
 */
const COMPACT = `
  WITH old AS (
    SELECT r.topic, r.partition, r."offset", r.value IS NULL AS tombstone,
      row_number() OVER (PARTITION BY r.topic, r.partition, r.key ORDER BY r."offset" DESC) AS age
    FROM event_log.records r JOIN event_log.topics t ON t.name = r.topic
    WHERE t.compacted AND r.published_at < now() - ${EXPIRED}
  )
  DELETE FROM event_log.records r USING old
  WHERE (old.age > 1 OR old.tombstone)
    AND r.topic = old.topic AND r.partition = old.partition AND r."offset" = old."offset"`;

const EXPIRE = `
  DELETE FROM event_log.records r USING event_log.topics t
  WHERE t.name = r.topic AND NOT t.compacted AND r.published_at < now() - ${EXPIRED}`;

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('bascule-compaction'), 0) AS locked`;

/** Deletes expired records, one process at a time. Returns their number. */
export async function cleanUp(dataSource: DataSource): Promise<number> {
  return dataSource.transaction(async (manager) => {
    const rows: { locked: boolean }[] = await manager.query(TRY_LOCK);
    if (rows[0]?.locked !== true) return 0;
    const [, superseded]: [unknown, number] = await manager.query(COMPACT);
    const [, expired]: [unknown, number] = await manager.query(EXPIRE);
    return superseded + expired;
  });
}
