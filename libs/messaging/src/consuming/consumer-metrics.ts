import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { Subscription } from '../transport/transport.js';

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;

/** A scrape succeeds also while the database is unavailable. */
async function tolerant(read: () => Promise<void>): Promise<void> {
  await read().catch(() => undefined);
}

export function consumerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    handled: new Counter({
      name: 'messaging_events_total',
      help: 'Events by outcome: done, unknown_type, queued, parked, dead_lettered.',
      labelNames: ['topic', 'outcome'],
      registers,
    }),
    duration: new Histogram({
      name: 'messaging_handling_seconds',
      help: 'Duration of a handler.',
      labelNames: ['topic'],
      buckets: [0.002, 0.01, 0.05, 0.2, 1, 5, 30],
      registers,
    }),
  };
}

/** Registers the gauge of paused topics. */
export function registerPauseMetric(
  registry: Registry,
  topics: readonly string[],
  isPaused: (topic: string) => boolean,
): void {
  new Gauge({
    name: 'messaging_topic_paused',
    help: '1 while the events of a topic wait, since most of its keys fail.',
    labelNames: ['topic'],
    registers: [registry],
    collect(): void {
      for (const topic of topics) this.set({ topic }, isPaused(topic) ? 1 : 0);
    },
  });
}

/** Registers gauges of parked events, dead letters and lag, read at each scrape. */
export function registerBacklogMetrics(
  registry: Registry,
  dataSource: DataSource,
  subscription: Subscription,
): void {
  const registers = [registry];
  new Gauge({
    name: 'messaging_consumer_lag',
    help: 'Records of a topic that the group has not processed yet (consumer lag).',
    labelNames: ['topic'],
    registers,
    collect(): Promise<void> {
      return tolerant(async () => {
        const lag = new Map<string, number>();
        for (const { topic, committed, end } of await subscription.progress()) {
          lag.set(topic, (lag.get(topic) ?? 0) + Number(end - committed));
        }
        for (const [topic, records] of lag) this.set({ topic }, records);
      });
    },
  });
  new Gauge({
    name: 'messaging_broker_reachable',
    help: '1 while the consumer can reach the broker.',
    registers,
    collect(): void {
      this.set(subscription.state().brokerReachable ? 1 : 0);
    },
  });
  new Gauge({
    name: 'messaging_parked_events',
    help: 'Parked events: waiting for their next attempt, or queued behind one of the same key.',
    registers,
    collect(): Promise<void> {
      return tolerant(async () => {
        this.set(await count(dataSource, 'parked_events'));
      });
    },
  });
  new Gauge({
    name: 'messaging_dead_letters',
    help: 'Dead letters that were neither replayed nor discarded.',
    registers,
    collect(): Promise<void> {
      return tolerant(async () => {
        this.set(
          await count(
            dataSource,
            'dead_letters WHERE replayed_at IS NULL AND discarded_at IS NULL',
          ),
        );
      });
    },
  });
}

async function count(dataSource: DataSource, from: string): Promise<number> {
  const rows: { n: number }[] = await dataSource.query(
    `SELECT count(*)::integer AS n FROM (SELECT FROM ${from} LIMIT 10000) AS waiting`,
  );
  return rows[0]?.n ?? 0;
}
