import { TOPICS, type TopicDefinition } from '@bascule/contracts';
import { aTopic } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { createServiceDatabase, testKafka } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import { KafkaTopics } from '../transport/kafka/kafka-topics.js';
import { type TopicAdministration, TopicsRefusedError } from '../transport/transport.js';

const DAY_MS = 86_400_000;

interface Opened {
  topics: TopicAdministration;
  /** Retention setting, by the broker's name. */
  lagSetting: string;
  /** Settings at creation. */
  settings: string;
  close: () => Promise<void>;
}

async function kafka(): Promise<Opened> {
  const logger = createLogger({ service: 'topics', level: 'silent' });
  const topics = new KafkaTopics({ kafka: { brokers: await testKafka() }, logger });
  return {
    topics,
    lagSetting: 'min.compaction.lag.ms',
    settings: 'max.message.bytes=1048576, min.insync.replicas=1, min.compaction.lag.ms=0',
    close: () => topics.close(),
  };
}

async function embedded(): Promise<Opened> {
  const service = await createServiceDatabase('topics');
  const dataSource = new DataSource({ type: 'postgres', url: service.adminUrl });
  await dataSource.initialize();
  return {
    topics: new EmbeddedTopics(dataSource),
    lagSetting: 'keep_ms',
    settings: 'keep_ms=0',
    close: async () => {
      await dataSource.destroy();
      await service.drop();
    },
  };
}

describe.each([
  ['Kafka', kafka],
  ['the event log', embedded],
])('the topics of %s', (_, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  }, 180_000);
  afterAll(() => opened.close());

  const refusalsOf = async (topic: TopicDefinition): Promise<readonly string[]> => {
    const refused: unknown = await opened.topics.apply([topic]).catch((error: unknown) => error);
    if (!(refused instanceof TopicsRefusedError)) throw new Error('topics were not refused');
    return refused.reasons;
  };

  it('are created as declared, once', async () => {
    const topic = aTopic(3);
    const change = `create with 3 partitions, compact, ${opened.settings}`;
    const created = [{ topic: topic.name, change }];
    expect(await opened.topics.apply([topic], { dryRun: true })).toEqual(created);
    expect(await opened.topics.apply([topic])).toEqual(created);
    expect(await opened.topics.apply([topic])).toEqual([]);
    expect(await opened.topics.apply([topic], { dryRun: true })).toEqual([]);
  });

  it('are those of this version, and can be applied concurrently', async () => {
    const declared = Object.values(TOPICS);
    await Promise.all([opened.topics.apply(declared), opened.topics.apply(declared)]);
    expect(await opened.topics.apply(declared)).toEqual([]);
  });

  it('change partitions and retention when the declaration is applied again', async () => {
    const topic = aTopic(2);
    await opened.topics.apply([topic]);
    const changed: TopicDefinition = {
      ...topic,
      partitions: 5,
      cleanup: { policy: 'compact', minCompactionLagMs: 2 * DAY_MS },
    };
    expect(await opened.topics.apply([changed])).toEqual([
      {
        topic: topic.name,
        change: `grow to 5 partitions (keys move, so the order of a key's records breaks once)`,
      },
      { topic: topic.name, change: `set ${opened.lagSetting} to ${2 * DAY_MS}` },
    ]);
    expect(await opened.topics.apply([changed])).toEqual([]);
  });

  it('never shrink or change key and clean-up policy: every reason is listed and nothing is changed', async () => {
    const topic = aTopic(4);
    const grown = aTopic(1);
    await opened.topics.apply([topic, grown]);
    const wrong: TopicDefinition = {
      ...topic,
      partitions: 2,
      key: 'something else',
      cleanup: { policy: 'delete', retentionMs: DAY_MS },
    };
    const reasons = [
      `${topic.name}: partitions cannot be removed (found 4, declared 2)`,
      `${topic.name}: the clean-up policy cannot change from compact to delete`,
      `${topic.name}: the key cannot change from "thing id" to "something else"`,
    ];
    expect(await refusalsOf(wrong)).toEqual(reasons);
    const both = opened.topics.apply([{ ...grown, partitions: 9 }, wrong]);
    await expect(both).rejects.toThrow(TopicsRefusedError);
    expect(await opened.topics.apply([topic, grown])).toEqual([]);
  });
});
