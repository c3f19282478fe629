import type { TopicDefinition } from '@bascule/contracts';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Transport } from '../transport/transport.js';
import { type ConsumerOptions, type RunningConsumer, startConsumer } from './consumer-fixture.js';
import { DisturbedTransport } from './disturbed-transport.js';
import { aGroup, type TransportHarness } from './harness.js';
import type { Chance } from './randomness.js';

const TABLES = `
  CREATE TABLE contract_effects (
    nth bigint GENERATED ALWAYS AS IDENTITY, event_id uuid, key text, version int
  );
  CREATE TABLE contract_things (thing_id text PRIMARY KEY, version int NOT NULL, note jsonb,
    seen_at timestamptz NOT NULL DEFAULT now())`;
const EMPTIED = [
  'contract_effects',
  'contract_things',
  'parked_events',
  'dead_letters',
  'outbox',
  'projection_state',
];

/** Processes of a service on one broker, started and stopped by the tests of a file. */
export interface Consumers {
  dataSource: () => DataSource;
  /** To publish with. */
  transport: () => Transport;
  createTopics: (topics: readonly TopicDefinition[]) => Promise<unknown>;
  start: (
    options: Pick<ConsumerOptions, 'handlers'> & Partial<ConsumerOptions>,
    disturbance?: Chance,
  ) => Promise<RunningConsumer>;
  stop: (consumer: RunningConsumer) => Promise<void>;
  count: (table: string) => Promise<number>;
}

export const versions = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

export function useConsumers(open: () => Promise<TransportHarness>): Consumers {
  let harness: TransportHarness;
  let transport: Transport;
  const running: RunningConsumer[] = [];
  const opened: Transport[] = [];

  beforeAll(async () => {
    harness = await open();
    transport = await harness.connect();
    await harness.dataSource.query(TABLES);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((consumer) => consumer.stop()));
    await Promise.all(opened.splice(0).map((another) => another.close()));
    await harness.dataSource.query(`TRUNCATE ${EMPTIED.join(', ')}`);
  });
  afterAll(async () => {
    await transport.close();
    await harness.close();
  });

  const start: Consumers['start'] = async (options, disturbance) => {
    const own = await harness.connect();
    opened.push(own);
    const consumer = await startConsumer({
      transport: disturbance === undefined ? own : new DisturbedTransport(own, disturbance),
      dataSource: harness.dataSource,
      group: aGroup(),
      ...options,
    });
    running.push(consumer);
    return consumer;
  };

  const stop = async (consumer: RunningConsumer): Promise<void> => {
    running.splice(running.indexOf(consumer), 1);
    await consumer.stop();
  };

  const count = async (table: string): Promise<number> => {
    const rows: { n: number }[] = await harness.dataSource.query(
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return rows[0]?.n ?? 0;
  };

  return {
    dataSource: () => harness.dataSource,
    transport: () => transport,
    createTopics: (topics) => harness.topics.apply(topics),
    start,
    stop,
    count,
  };
}
