import { aFact, aTopic, useKafka, versions } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { createClient } from '../transport/kafka/kafka-client.js';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';

/** Together more than the records that may be in flight. */
const BATCHES = 6;
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
    let handled = 0;
    const handle = async (): Promise<void> => {
      await gate;
      handled += 1;
    };
    await start({ handlers: { [busy.name]: handle, [idle.name]: handle } });
    try {
      for (const batch of versions(BATCHES)) {
        await publish(busy, ...versions(BATCH).map((n) => aFact(busy, `key-${batch}-${n}`, 1)));
      }
    } finally {
      free();
    }
    await eventually(() => {
      expect(handled).toBe(BATCHES * BATCH);
    });
  });
});
