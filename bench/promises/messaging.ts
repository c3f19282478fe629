import { createEnvelope } from '@bascule/messaging';
import { TOPICS } from '@bascule/contracts';
import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Handled, STUCK_KEY } from '../consuming/handler.js';
import { startBroker } from '../lib/broker.js';
import { consumerDatabase } from '../lib/consumer-database.js';
import { startDatabase } from '../lib/database.js';
import { quantile } from '../lib/rounds.js';
import { startWorker } from '../lib/worker.js';
import { report } from './measured.js';

const TOPIC = TOPICS.payment;
const ORIGIN = { source: 'payment', environment: 'bench' };
const EVENTS = 500;
const WARM_UP = 100;
const PAUSE_MS = 20;

/** Measures the time from publishing to handling in another process, with and without a stuck handler. */
export async function messaging(): Promise<void> {
  const broker = await startBroker();
  const server = await startDatabase();
  const producer = new Kafka({ brokers: broker.brokers, logLevel: logLevel.NOTHING }).producer();
  try {
    const database = await consumerDatabase(server, broker.brokers);
    await producer.connect();
    const worker = await startWorker('bench/consuming/our-server.ts', {
      KAFKA_BROKERS: broker.brokers.join(','),
      KAFKAJS_NO_PARTITIONER_WARNING: '1',
      WORK_MS: '0',
      TOPIC: TOPIC.name,
      GROUP: `promises-${randomUUID()}`,
      DATABASE: JSON.stringify(database),
    });
    let published = 0;
    const publish = async (key: string): Promise<[id: string, at: number]> => {
      const event = { topic: TOPIC, type: TOPIC.schema.types[0] ?? '', key, data: { version: 1 } };
      const envelope = createEnvelope(event, ORIGIN);
      const at = performance.timeOrigin + performance.now();
      const messages = [{ key, value: JSON.stringify(envelope) }];
      await producer.send({ topic: TOPIC.name, messages });
      return [envelope.id, at];
    };
    const p99Of = async (events: number): Promise<number> => {
      const sent: [string, number][] = [];
      for (let n = 0; n < events; n += 1) {
        sent.push(await publish(`payment-${n % 50}`));
        await delay(PAUSE_MS);
      }
      published += events;
      const { at } = await worker.ask<Handled>({ events: published });
      const took = sent.map(([id, sentAt]) => (at.get(id) ?? Number.POSITIVE_INFINITY) - sentAt);
      return quantile(
        took.sort((a, b) => a - b),
        0.99,
      );
    };
    await p99Of(WARM_UP);
    report('an event on an idle system is handled, p99', await p99Of(EVENTS), 50);
    await publish(STUCK_KEY);
    report('an event beside a stuck handler is handled, p99', await p99Of(EVENTS), 100);
    await worker.kill();
  } finally {
    await producer.disconnect();
    await broker.remove();
    await server.remove();
  }
}
