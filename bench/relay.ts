// The outbox's relay: rows a second to Kafka against raw kafkajs with the same bytes, in turns; then how long an event
// takes from its commit until another process has handled it.
import {
  applyTopics,
  createEnvelope,
  messagingEntities,
  messagingMigrations,
  Outbox,
} from '@bascule/messaging';
import {
  KafkaTransport,
  OutboxRelay,
  RefusedRows,
  relayChannel,
  relayMetrics,
  RelayWaker,
} from '@bascule/messaging/internals';
import { TOPICS } from '@bascule/contracts';
import { connectClient, createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createLogger } from '@bascule/process';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import type { Handled } from './consuming/handler.js';
import { startBroker } from './lib/broker.js';
import { startDatabase } from './lib/database.js';
import { inTurns, median, quantile } from './lib/rounds.js';
import { startWorker } from './lib/worker.js';
import { ANSWER } from './request-reply/exchange.js';

const ROWS = 20_000;
const TURNS = 5;
const BATCH = 500;
const TOPIC = TOPICS.payment;
const EVENTS_A_SECOND = 200;
const WINDOW_MS = 5_000;
const ORIGIN = { source: 'payment', environment: 'bench' };

const broker = await startBroker();
const server = await startDatabase();
const { brokers } = broker;
const kafka = { brokers };
const logger = createLogger({ service: 'bench', level: 'silent' });
const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({
  idempotent: true,
  maxInFlightRequests: 1,
});
const transport = new KafkaTransport({ kafka, clientId: 'payment', logger });
const database = await server.provision('payment');
const model = { database, entities: messagingEntities, migrations: messagingMigrations };
await runMigrationsOf(model);
const dataSource = await createDataSource(model).initialize();
const fill = await connectClient({
  connectionString: database.url,
  options: '-c statement_timeout=0',
});
const waker = new RelayWaker(dataSource, relayChannel(database.schema), logger);
const outbox = new Outbox(ORIGIN, waker);
dataSource.subscribers.push(outbox.subscriber());

const eventOf = (n: number) => ({
  topic: TOPIC,
  type: TOPIC.schema.types[0] ?? '',
  key: `payment-${n % 500}`,
  data: { version: n, ...ANSWER },
});
const facts = Array.from({ length: ROWS }, (_, n) => {
  const event = eventOf(n);
  return { key: event.key, value: JSON.stringify(createEnvelope(event, ORIGIN)) };
});

try {
  await applyTopics({ kafka });
  await producer.connect();
  await relayed();
  await raw();
  report(await inTurns(TURNS, relayed, raw));
  await latency();
} finally {
  await fill.end();
  await producer.disconnect();
  await transport.close();
  await dataSource.destroy();
  await broker.remove();
  await server.remove();
}

function startRelay() {
  const metrics = relayMetrics(new Registry(), dataSource);
  const relay = new OutboxRelay({
    service: 'payment',
    database,
    dataSource,
    transport,
    waker,
    refused: new RefusedRows(dataSource, outbox, 'payment', logger),
    metrics,
    logger,
    pollMs: 500,
    standbyMs: 1_000,
  });
  relay.start();
  const published = async () => (await metrics.published.get()).values[0]?.value ?? 0;
  return { relay, published };
}

/** Rows a second, from the relay's start until the last one is acknowledged and deleted. */
async function relayed(): Promise<number> {
  await fill.query(
    `INSERT INTO outbox (topic, key, envelope)
     SELECT $1, fact.key, fact.envelope
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS fact(key, envelope, nth) ORDER BY nth`,
    [TOPIC.name, facts.map(({ key }) => key), facts.map(({ value }) => value)],
  );
  await fill.query('VACUUM ANALYZE outbox');
  const started = performance.now();
  const { relay, published } = startRelay();
  while ((await published()) < ROWS) await delay(2);
  const perSecond = (ROWS * 1_000) / (performance.now() - started);
  await relay.stop();
  return perSecond;
}

async function raw(): Promise<number> {
  const started = performance.now();
  for (let from = 0; from < ROWS; from += BATCH) {
    await producer.send({
      topic: TOPIC.name,
      acks: -1,
      messages: facts.slice(from, from + BATCH),
    });
  }
  return (ROWS * 1_000) / (performance.now() - started);
}

function report(turns: [number, number][]): void {
  const line = (name: string, values: number[], digits: number, unit = ''): void => {
    const figures = [median(values), Math.min(...values), Math.max(...values)];
    const [middle, low, high] = figures.map((value) => value.toFixed(digits));
    console.log(`${name.padEnd(24)} ${middle}${unit} (${low} to ${high})`);
  };
  const bytes = Buffer.byteLength(facts[0]?.value ?? '');
  console.log(`rows of ${bytes} bytes`);
  line(
    'relay',
    turns.map(([ours]) => ours),
    0,
    ' /s',
  );
  line(
    'raw kafkajs',
    turns.map(([, theirs]) => theirs),
    0,
    ' /s',
  );
  line(
    'relay / raw',
    turns.map(([ours, theirs]) => ours / theirs),
    2,
  );
}

/** Transactions at a steady rate in this process, which relays too; handled in another one. */
async function latency(): Promise<void> {
  const { relay } = startRelay();
  const topic = TOPICS.withdrawal;
  const consumer = await startWorker('bench/consuming/our-server.ts', {
    KAFKA_BROKERS: brokers.join(','),
    TOPIC: topic.name,
    GROUP: 'latency',
    WORK_MS: '0',
    DATABASE: JSON.stringify(await consumerDatabase()),
  });
  const committedAt = new Map<string, number>();
  const commit = async (n: number): Promise<void> => {
    const event = { ...eventOf(n), topic, type: topic.schema.types[0] ?? '' };
    const row = outbox.outboxRow(event);
    await dataSource.query('INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3)', [
      row.topic,
      row.key,
      row.envelope,
    ]);
    outbox.wakeAfterCommit();
    const { id } = JSON.parse(row.envelope) as { id: string };
    committedAt.set(id, performance.timeOrigin + performance.now());
  };
  const window = async (): Promise<number[]> => {
    const before = new Set(committedAt.keys());
    const started = performance.now();
    const commits: Promise<void>[] = [];
    const count = (EVENTS_A_SECOND * WINDOW_MS) / 1_000;
    for (let n = 0; n < count; n += 1) {
      await delay(Math.max(0, started + (n * 1_000) / EVENTS_A_SECOND - performance.now()));
      commits.push(commit(n));
    }
    await Promise.all(commits);
    const { at } = await consumer.ask<Handled>({ events: committedAt.size });
    return [...committedAt]
      .filter(([id]) => !before.has(id))
      .map(([id, committed]) => (at.get(id) ?? Number.NaN) - committed)
      .sort((a, b) => a - b);
  };
  await window();
  const windows = [await window(), await window(), await window()];
  await consumer.stop();
  await relay.stop();
  const of = (share: number) => median(windows.map((sorted) => quantile(sorted, share))).toFixed(1);
  console.log(
    `commit to handled at ${EVENTS_A_SECOND} events/s: p50 ${of(0.5)} ms, p99 ${of(0.99)} ms`,
  );
}

async function consumerDatabase() {
  const own = await server.provision('withdrawal');
  await runMigrationsOf({ ...model, database: own });
  return own;
}
