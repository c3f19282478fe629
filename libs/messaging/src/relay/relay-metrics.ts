import { Counter, Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

export type RelayMetrics = ReturnType<typeof relayMetrics>;

interface Backlog {
  rows: number;
  oldest_seconds: number;
}

export function relayMetrics(registry: Registry, dataSource: DataSource) {
  const registers = [registry];
  let reading: Promise<Backlog | undefined> | undefined;
  // Gauges are collected side by side: both get what one statement read. A scrape must not fail because the database is away.
  const backlog = (): Promise<Backlog | undefined> =>
    (reading ??= readBacklog(dataSource)
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
  new Gauge({
    name: 'messaging_outbox_oldest_seconds',
    help: 'Age of the oldest event that is not published yet.',
    registers,
    async collect(): Promise<void> {
      const waiting = await backlog();
      if (waiting !== undefined) this.set(waiting.oldest_seconds);
    },
  });
  new Gauge({
    name: 'messaging_outbox_backlog',
    help: 'Events that are not published yet (counted up to 10000).',
    registers,
    async collect(): Promise<void> {
      const waiting = await backlog();
      if (waiting !== undefined) this.set(waiting.rows);
    },
  });
  return {
    leader: new Gauge({
      name: 'messaging_relay_leader',
      help: '1 in the process whose relay leads.',
      registers,
    }),
    heldTopics: new Gauge({
      name: 'messaging_held_topics',
      help: 'Topics that take nothing of the outbox: they are missing, or may not be written to.',
      registers,
    }),
    published: new Counter({
      name: 'messaging_published_total',
      help: 'Events that the relay published.',
      registers,
    }),
  };
}

async function readBacklog(dataSource: DataSource): Promise<Backlog | undefined> {
  const rows: Backlog[] = await dataSource.query(
    `SELECT count(*)::integer AS rows,
       coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision AS oldest_seconds
     FROM (SELECT created_at FROM outbox ORDER BY id LIMIT 10000) AS waiting`,
  );
  return rows[0];
}
