import type { TopicDefinition } from '@bascule/contracts';
import { createLogger } from '@bascule/process';
import { expect } from '@jest/globals';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { Collector } from '../contract-suite/collector.js';
import { aFact } from '../contract-suite/consumer-fixture.js';
import { ENVIRONMENT } from '../contract-suite/harness.js';
import { Outbox } from '../outbox/outbox.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { RefusedRows } from '../outbox/refused-rows.js';
import { relayMetrics } from '../outbox/relay-metrics.js';
import { relayChannel, RelayWaker } from '../outbox/relay-waker.js';
import type { Transport } from '../transport/transport.js';
import type { KafkaUse } from './use-kafka.js';

/** Another process's relay of the same outbox. */
export function aRelay(use: KafkaUse, transport: Transport): OutboxRelay {
  const logger = createLogger({ service: 'contract', level: 'silent' });
  const database = use.database();
  const waker = new RelayWaker(use.dataSource(), relayChannel(database.schema), logger);
  const outbox = new Outbox({ source: 'contract', environment: ENVIRONMENT }, waker);
  return new OutboxRelay({
    service: 'contract',
    database,
    transport,
    waker,
    refused: new RefusedRows(use.dataSource(), outbox, 'contract', logger),
    metrics: relayMetrics(new Registry(), use.dataSource()),
    logger,
    pollMs: 50,
    standbyMs: 50,
  });
}

/** Rows of an outbox: so many versions of each key, the keys in turns. */
export async function fillOutbox(
  dataSource: DataSource,
  topic: TopicDefinition,
  { keys, from, to }: { keys: number; from: number; to: number },
): Promise<void> {
  const facts = [];
  for (let version = from; version <= to; version += 1) {
    for (let key = 1; key <= keys; key += 1) facts.push(aFact(topic, `key-${key}`, version));
  }
  await dataSource.query(
    `INSERT INTO outbox (topic, key, envelope)
     SELECT $1, fact.key, fact.envelope
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS fact(key, envelope, nth) ORDER BY nth`,
    [topic.name, facts.map(({ subject }) => subject), facts.map((fact) => JSON.stringify(fact))],
  );
}

/** The versions of each key, in the order of the topic, with every repetition. */
export async function publishedVersions(
  transport: Transport,
  topic: TopicDefinition,
): Promise<Map<string, number[]>> {
  const collector = new Collector();
  await transport.read({ topics: [topic.name], receiver: collector });
  const versions = new Map<string, number[]>();
  for (const { key, value } of collector.records) {
    const { data } = JSON.parse(value?.toString() ?? 'null') as { data: { version: number } };
    versions.set(key ?? '', [...(versions.get(key ?? '') ?? []), data.version]);
  }
  return versions;
}

/** Each key's versions first come in their order and completely, whatever is repeated between. */
export function expectOrderUpToDuplicates(
  published: ReadonlyMap<string, number[]>,
  expected: { keys: number; to: number },
): void {
  const all = Array.from({ length: expected.to }, (_, n) => n + 1);
  expect(published.size).toBe(expected.keys);
  for (const versions of published.values()) expect([...new Set(versions)]).toEqual(all);
}
