// Consuming 50 keys with a handler of 10 ms: our MessagingModule against Nest's own Kafka server, each as it comes, each
// in a process of its own, on the same records of the same topic, in turns.
import { createEnvelope } from '@bascule/messaging';
import { TOPICS } from '@bascule/contracts';
import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import type { Handled } from './consuming/handler.js';
import { startBroker } from './lib/broker.js';
import { consumerDatabase } from './lib/consumer-database.js';
import { startDatabase } from './lib/database.js';
import { inTurns, median } from './lib/rounds.js';
import { startWorker } from './lib/worker.js';

const KEYS = 50;
const RECORDS = 10_000;
const TURNS = 3;
const TOPIC = TOPICS.payment;

const broker = await startBroker();
const server = await startDatabase();
try {
  const database = await consumerDatabase(server, broker.brokers);
  await publishAll(broker.brokers);

  /** Events a second, by a new group, from the first record on. */
  const consume = async (file: string, events: number): Promise<number> => {
    const worker = await startWorker(`bench/consuming/${file}.ts`, {
      KAFKA_BROKERS: broker.brokers.join(','),
      KAFKAJS_NO_PARTITIONER_WARNING: '1',
      WORK_MS: '10',
      TOPIC: TOPIC.name,
      GROUP: `${file}-${randomUUID()}`,
      DATABASE: JSON.stringify(database),
    });
    const { at } = await worker.ask<Handled>({ events });
    await worker.stop();
    const times = [...at.values()];
    const ms = (times[events - 1] ?? 0) - (times[0] ?? 0);
    return ((events - 1) * 1_000) / ms;
  };
  const turns = await inTurns(
    TURNS,
    () => consume('our-server', RECORDS),
    () => consume('nest-server', 400),
  );
  const line = (name: string, values: number[], digits: number, unit = ''): void => {
    const figures = [median(values), Math.min(...values), Math.max(...values)];
    const [middle, low, high] = figures.map((value) => value.toFixed(digits));
    console.log(`${name.padEnd(24)} ${middle}${unit} (${low} to ${high})`);
  };
  line(
    'our event server',
    turns.map(([ours]) => ours),
    0,
    ' /s',
  );
  line(
    'Nest’s Kafka server',
    turns.map(([, nests]) => nests),
    0,
    ' /s',
  );
  line(
    'ours / Nest’s',
    turns.map(([ours, nests]) => ours / nests),
    1,
  );
} finally {
  await broker.remove();
  await server.remove();
}

async function publishAll(brokers: string[]): Promise<void> {
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  const origin = { source: 'payment', environment: 'bench' };
  const messages = Array.from({ length: RECORDS }, (_, n) => {
    const key = `payment-${n % KEYS}`;
    const version = 1 + Math.floor(n / KEYS);
    const fact = { topic: TOPIC, type: TOPIC.schema.types[0] ?? '', key, data: { version } };
    return { key, value: JSON.stringify(createEnvelope(fact, origin)) };
  });
  for (let from = 0; from < messages.length; from += 500) {
    await producer.send({ topic: TOPIC.name, messages: messages.slice(from, from + 500) });
  }
  await producer.disconnect();
}
