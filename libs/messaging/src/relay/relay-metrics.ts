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
  // Gauges are collected concurrently and share one query. A scrape succeeds also while the database is unavailable.
  const backlog = (): Promise<Backlog | undefined> =>
    (reading ??= readBacklog(dataSource)
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
  new Gauge({
    name: 'messaging_outbox_oldest_seconds',
    help: 'Age of the oldest unpublished event.',
    registers,
    async collect(): Promise<void> {
      const waiting = await backlog();
      if (waiting !== undefined) this.set(waiting.oldest_seconds);
    },
  });
  new Gauge({
    name: 'messaging_outbox_backlog',
    help: 'Unpublished events (counted up to 10000).',
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
    pausedTopics: new Gauge({
      name: 'messaging_held_topics',
      help: 'Paused topics: missing, or not writable for the service.',
      registers,
    }),
    published: new Counter({
      name: 'messaging_published_total',
      help: 'Events published by the relay.',
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
