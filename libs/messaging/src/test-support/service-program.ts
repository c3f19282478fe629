// What a process of a service does with messaging, without its HTTP part. It tells its parent what happens.
import { createDataSource, type DatabaseConfig } from '@bascule/persistence';
import { createLogger } from '@bascule/process';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { type FactHandler, startConsumer } from '../contract-suite/consumer-fixture.js';
import { ENVIRONMENT } from '../contract-suite/harness.js';
import { messagingEntities, messagingMigrations } from '../index.js';
import { Outbox } from '../outbox/outbox.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { RefusedRows } from '../outbox/refused-rows.js';
import { relayMetrics } from '../outbox/relay-metrics.js';
import { relayChannel, RelayWaker } from '../outbox/relay-waker.js';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';
import type { KafkaTuning } from '../transport/kafka/kafka-tuning.js';

export interface ServicePlan {
  brokers: string[];
  database: DatabaseConfig;
  group: string;
  /** Consumed: each event has one effect, a row of `contract_effects`. */
  topics: string[];
  /** How long a handler works before it writes. */
  workMs: number;
  /** Whether the outbox is relayed. */
  relays: boolean;
  /** Of its membership in the group. */
  tuning?: Partial<KafkaTuning>;
}

export interface Told {
  what: 'up' | 'begun' | 'handled';
  /** `key:version` */
  fact: string;
  /** When, by the clock of the machine. */
  at: number;
}

const plan = JSON.parse(process.env['SERVICE_PLAN'] ?? '{}') as ServicePlan;
const tell = (what: Told['what'], fact = ''): void => {
  process.send?.({ what, fact, at: Date.now() } satisfies Told);
};

const logger = createLogger({ service: plan.group, level: 'silent' });
const { database } = plan;
const dataSource = await createDataSource({
  database,
  entities: messagingEntities,
  migrations: messagingMigrations,
}).initialize();
const transport = new KafkaTransport({
  kafka: { brokers: plan.brokers },
  clientId: plan.group,
  logger,
  ...(plan.tuning === undefined ? {} : { tuning: plan.tuning }),
});

const effectOn =
  (source: DataSource): FactHandler =>
  async (event, inbox) => {
    const fact = `${event.subject}:${event.data.version}`;
    tell('begun', fact);
    if (plan.workMs > 0) await delay(plan.workMs);
    await source.transaction(async (manager) => {
      if (!(await inbox.once(manager, event))) return;
      await manager.query(
        'INSERT INTO contract_effects (event_id, key, version) VALUES ($1, $2, $3)',
        [event.id, event.subject, event.data.version],
      );
    });
    tell('handled', fact);
  };

const consumer =
  plan.topics.length === 0
    ? null
    : await startConsumer({
        transport,
        dataSource,
        group: plan.group,
        handlers: Object.fromEntries(plan.topics.map((name) => [name, effectOn(dataSource)])),
      });

const waker = new RelayWaker(dataSource, relayChannel(database.schema), logger);
const outbox = new Outbox({ source: plan.group, environment: ENVIRONMENT }, waker);
const relay = new OutboxRelay({
  service: plan.group,
  database,
  transport,
  waker,
  refused: new RefusedRows(dataSource, outbox, plan.group, logger),
  metrics: relayMetrics(new Registry(), dataSource),
  logger,
  pollMs: 50,
  standbyMs: 100,
});
if (plan.relays) relay.start();

// In the order of a service's shutdown.
process.once('SIGTERM', () => {
  void (async () => {
    await consumer?.stop();
    if (plan.relays) await relay.stop();
    await transport.close();
    await dataSource.destroy();
    process.exit(0);
  })();
});
process.once('disconnect', () => process.exit(1));

while (consumer !== null && !(await consumer.context.health.evaluateReady()).ok) await delay(50);
tell('up');
