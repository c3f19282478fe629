import { connectClient } from '@bascule/persistence';

export const EVENT_LOG_SCHEMA = 'event_log';

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('bascule-event-log'), 0)`;

/** Idempotent and additive: processes of an older version keep using the log. */
const STATEMENTS = [
  `CREATE SCHEMA IF NOT EXISTS event_log`,
  `CREATE TABLE IF NOT EXISTS event_log.topics (
    name text PRIMARY KEY,
    partitions integer NOT NULL,
    compacted boolean NOT NULL
  )`,
  // Null in logs of an older version, until the topics are applied again.
  `ALTER TABLE event_log.topics
    ADD COLUMN IF NOT EXISTS key text, ADD COLUMN IF NOT EXISTS keep_ms bigint`,
  `CREATE TABLE IF NOT EXISTS event_log.partitions (
    topic text NOT NULL REFERENCES event_log.topics (name),
    partition integer NOT NULL,
    next_offset bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (topic, partition)
  )`,
  `CREATE TABLE IF NOT EXISTS event_log.records (
    topic text NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    key text NOT NULL,
    headers jsonb NOT NULL,
    value bytea,
    published_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (topic, partition, "offset")
  )`,
  `CREATE TABLE IF NOT EXISTS event_log.group_offsets (
    group_name text NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL,
    next_offset bigint NOT NULL,
    PRIMARY KEY (group_name, topic, partition)
  )`,
];

/** Creates the log's schema, as a step of provisioning; services only read and write rows. */
export async function provisionEventLog(adminUrl: string): Promise<void> {
  const client = await connectClient({ connectionString: adminUrl });
  try {
    await client.query('BEGIN');
    await client.query(LOCK);
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
