import type { EventEnvelope } from '@bascule/contracts';
import { aFact, aTopic, useKafka, versions } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { createClient } from '../transport/kafka/kafka-client.js';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';

/** Number of records that may be in flight, as `anEventServer` sets. */
const BATCH = 50;

describe('failure 9: the default fetch wait adds latency', () => {
  const { brokers, start, create, publish } = useKafka();

  // Protection: DEFAULT_TUNING.maxWaitMs in transport/kafka/kafka-tuning.ts. A partition that was full is fetched again only
  // when the fetch of the idle ones has ended: with the client's default that is 5 s for each time it was full. The
  // resulting latency is measured by bench:promises.
  it('asks brokers to hold an idle fetch for 50 ms at most', async () => {
    const logger = createLogger({ service: 'contract', level: 'silent' });
    const kafka = { brokers: brokers() };
    const client = Object.getPrototypeOf(createClient(kafka, 'contract', logger)) as ReturnType<
      typeof createClient
    >;
    const consumer = jest.spyOn(client, 'consumer');
    const transport = new KafkaTransport({ kafka, clientId: 'contract', logger });
    try {
      const topic = aTopic(1);
      await create(topic);
      const receiver = { receive: () => Promise.resolve(), release: () => Promise.resolve() };
      await transport.subscribe({ group: 'idle-fetch', topics: [topic.name], receiver });
      const [maxWaitMs] = consumer.mock.calls.map(([each]) => each?.maxWaitTimeInMs);
      expect(maxWaitMs).toBeLessThanOrEqual(50);
    } finally {
      consumer.mockRestore();
      await transport.close();
    }
  });

  // Protection: FeedHooks.onRoom in transport/kafka/partition-feed.ts resumes the partition.
  it('resumes a full partition while the others are idle', async () => {
    const [busy, idle] = [aTopic(1), aTopic(4)] as const;
    await create(busy, idle);
    let free: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (free = resolve));
    const [begun, handled, ofIdle]: [string[], string[], string[]] = [[], [], []];
    const handle = async ({ subject }: EventEnvelope): Promise<void> => {
      begun.push(subject);
      await gate;
      handled.push(subject);
    };
    const note = ({ subject }: EventEnvelope): Promise<void> => {
      ofIdle.push(subject);
      return Promise.resolve();
    };
    await start({ handlers: { [busy.name]: handle, [idle.name]: note } });
    const publishBatch = (batch: number) =>
      publish(busy, ...versions(BATCH).map((n) => aFact(busy, `key-${batch}-${n}`, 1)));
    try {
      await publishBatch(1);
      await eventually(() => {
        expect(begun.length).toBeGreaterThan(0);
      });
      await publishBatch(2);
      // Published after the second batch: once it is handled, that batch waits behind the first.
      await publish(idle, aFact(idle, 'other', 1));
      await eventually(() => {
        expect(ofIdle).toEqual(['other']);
      });
    } finally {
      free();
    }
    await publishBatch(3);
    await eventually(() => {
      expect(handled).toHaveLength(3 * BATCH);
    });
  });
});
