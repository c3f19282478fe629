import type { TopicDefinition } from '@bascule/contracts';
import { type LocalKafka, removeKafka, startKafka } from '@bascule/local-stack';
import {
  aRelay,
  aTopic,
  expectOrderUpToDuplicates,
  fillOutbox,
  publishedVersions,
  useKafka,
} from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually, ownKafkaDirectory } from '@bascule/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { OutboxRelay } from '../relay/outbox-relay.js';
import { createClient } from '../transport/kafka/kafka-client.js';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';
import { TransportUnavailableError } from '../transport/transport.js';

const KEYS = 20;
/** Codes of Kafka's protocol. */
const TOPIC_RESOURCE = 2;
const SET_ON_THE_TOPIC = 1;
const logger = createLogger({ service: 'contract', level: 'silent' });

describe('a cluster of three brokers', () => {
  const directory = ownKafkaDirectory('three');
  let kafka: LocalKafka;
  const use = useKafka({}, async () => {
    kafka = await startKafka({ directory, brokers: 3 });
    return kafka.brokers;
  });
  const { dataSource, transport, connect, create, count } = use;
  const relays: OutboxRelay[] = [];
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });
  afterAll(() => removeKafka(directory));

  async function leaderOf({ name }: TopicDefinition): Promise<number> {
    const admin = createClient({ brokers: kafka.brokers }, 'contract', logger).admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
    await admin.disconnect();
    return topics[0]?.partitions[0]?.leader ?? 0;
  }

  const outboxIsEmpty = (timeoutMs: number) =>
    eventually(
      async () => {
        expect(await count('outbox')).toBe(0);
      },
      { timeoutMs },
    );

  // Protection: ALL_REPLICAS in transport/kafka/kafka-publisher.ts. Records that only the leader has are lost with it.
  it('keeps acknowledged records in key order when the leader is killed with unreplicated ones', async () => {
    const topic = aTopic(1);
    await create(topic);
    const leader = kafka.nodes[(await leaderOf(topic)) - 1];
    const followers = kafka.nodes.filter((node) => node !== leader);
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const { pid } of followers) if (pid !== null) process.kill(pid, name);
    };
    const relay = aRelay(use, connect());
    relays.push(relay);
    relay.start();
    await fillOutbox(dataSource(), topic, { keys: KEYS, from: 1, to: 10 });
    await outboxIsEmpty(90_000);

    signal('SIGSTOP');
    try {
      await fillOutbox(dataSource(), topic, { keys: KEYS, from: 11, to: 20 });
      await expect(outboxIsEmpty(1_000)).rejects.toThrow();
      await leader?.kill();
    } finally {
      signal('SIGCONT');
    }
    await outboxIsEmpty(90_000);
    await leader?.start();
    expectOrderUpToDuplicates(await publishedVersions(transport(), topic), { keys: KEYS, to: 20 });
  });

  // Protection: settingsOf in transport/kafka/kafka-topics.ts, whatever the brokers' default is.
  it('sets the replicas that an acknowledgement requires on each topic', async () => {
    const topic = aTopic(1);
    await create(topic);
    const admin = createClient({ brokers: kafka.brokers }, 'contract', logger).admin();
    await admin.connect();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: TOPIC_RESOURCE, name: topic.name }],
    });
    await admin.disconnect();
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    expect(entries.find(({ configName }) => configName === 'min.insync.replicas')).toMatchObject({
      configValue: '2',
      configSource: SET_ON_THE_TOPIC,
    });
  });

  // Protection: publishMs in transport/kafka/kafka-publisher.ts.
  it('lets a publisher time out without an acknowledgement, and continue after recovery', async () => {
    const topic = aTopic(1);
    await create(topic);
    const impatient = new KafkaTransport({
      kafka: { brokers: kafka.brokers },
      clientId: 'contract',
      logger,
      tuning: { publishMs: 4_000 },
    });
    const one = { topic: topic.name, key: 'key', headers: {}, value: Buffer.from('1') };
    const publish = () => impatient.publish([one]);
    await eventually(publish, { timeoutMs: 90_000 });
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const { pid } of kafka.nodes) if (pid !== null) process.kill(pid, name);
    };
    signal('SIGSTOP');
    try {
      await expect(publish()).rejects.toThrow('Kafka: no acknowledgement within 4000 ms');
    } finally {
      signal('SIGCONT');
    }
    await eventually(publish, { timeoutMs: 90_000 });
    await impatient.close();
  });

  const RECORDS = 80;

  /** Several fetches of one partition, while the other brokers have nothing to give. */
  async function largeTopic(): Promise<TopicDefinition> {
    const topic = aTopic(1);
    await create(topic);
    const value = Buffer.alloc(60_000, 'x');
    await transport().publish(
      Array.from({ length: RECORDS }, (_, n) => ({
        ...{ topic: topic.name, key: `key-${n}`, headers: {}, value },
      })),
    );
    return topic;
  }

  // Protection: readToEnds in transport/kafka/read-topics.ts succeeds when each end was reached, and for nothing else.
  it('lets a reader reach the ends however long its receiver takes', async () => {
    const topic = await largeTopic();
    const offsets: bigint[] = [];
    await connect().read({
      topics: [topic.name],
      receiver: {
        receive: async ({ records }) => {
          offsets.push(...records.map(({ offset }) => offset));
          await new Promise((resolve) => setTimeout(resolve, 3_000));
        },
      },
    });
    expect(offsets).toEqual(Array.from({ length: RECORDS }, (_, n) => BigInt(n)));
  });

  it('does not report a complete read when a broker stops answering midway', async () => {
    const topic = await largeTopic();
    const leader = kafka.nodes[(await leaderOf(topic)) - 1];
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      if (typeof leader?.pid === 'number') process.kill(leader.pid, name);
    };
    const offsets: bigint[] = [];
    try {
      const outcome = await connect()
        .read({
          topics: [topic.name],
          receiver: {
            receive: ({ records }) => {
              if (offsets.length === 0) signal('SIGSTOP');
              offsets.push(...records.map(({ offset }) => offset));
              return Promise.resolve();
            },
          },
        })
        .catch((error: unknown) => error);
      if (!(outcome instanceof TransportUnavailableError)) {
        expect(outcome).toBeUndefined();
        expect(offsets).toEqual(Array.from({ length: RECORDS }, (_, n) => BigInt(n)));
      }
    } finally {
      signal('SIGCONT');
    }
  });
});
