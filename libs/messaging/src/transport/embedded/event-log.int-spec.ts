import type { TopicDefinition } from '@bascule/contracts';
import { eventually, runSql } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collector } from '../../contract-suite/collector.js';
import { aGroup, aTopic } from '../../contract-suite/harness.js';
import { messagingFixture, type MessagingFixture } from '../../test-support/messaging-fixture.js';
import { cleanUp } from './clean-up.js';
import { EmbeddedTopics } from './embedded-topics.js';
import { EmbeddedTransport } from './embedded-transport.js';
import { provisionEventLog } from './event-log-schema.js';

const HOUR_MS = 3_600_000;
const aCompactedTopic = (): TopicDefinition => ({
  ...aTopic(1),
  cleanup: { policy: 'compact', minCompactionLagMs: HOUR_MS },
});

describe('the event log', () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await messagingFixture('log');
  });
  afterAll(() => fixture.close());

  const create = (topic: TopicDefinition): Promise<unknown> =>
    new EmbeddedTopics(fixture.dataSource).apply([topic]);

  const publish = (topic: { name: string }, key: string, value: string | null): Promise<void> =>
    fixture.transport.publish([
      { topic: topic.name, key, headers: {}, value: value === null ? null : Buffer.from(value) },
    ]);

  const values = async (topic: { name: string }): Promise<string[]> => {
    const rows: { value: string | null }[] = await fixture.dataSource.query(
      `SELECT convert_from(value, 'UTF8') AS value FROM event_log.records WHERE topic = $1
       ORDER BY partition, "offset"`,
      [topic.name],
    );
    return rows.map((row) => row.value ?? 'tombstone');
  };

  const age = (topic: { name: string }, ms: number): Promise<unknown> =>
    fixture.dataSource.query(
      `UPDATE event_log.records SET published_at = now() - $2 * interval '1 millisecond' WHERE topic = $1`,
      [topic.name, ms],
    );

  it('is provisioned again without harm, also at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => provisionEventLog(fixture.adminUrl)));
  });

  it('keeps the newest record of a key, and readers jump over what went', async () => {
    const topic = aCompactedTopic();
    await create(topic);
    for (const value of ['a1', 'a2', 'a3']) await publish(topic, 'a', value);
    await publish(topic, 'b', 'b1');
    await age(topic, 2 * HOUR_MS);
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual(['a3', 'b1']);

    await publish(topic, 'a', 'a4');
    const collector = new Collector();
    await fixture.transport.subscribe({
      group: aGroup(),
      topics: [topic.name],
      receiver: collector,
    });
    await eventually(() => {
      expect(collector.records.map((record) => record.offset)).toEqual([2n, 3n, 4n]);
    });
  });

  it('keeps everything as long as the lag, even what a younger record supersedes', async () => {
    const topic = aCompactedTopic();
    await create(topic);
    await publish(topic, 'a', 'a1');
    await age(topic, 2 * HOUR_MS);
    await publish(topic, 'a', 'a2');
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual(['a1', 'a2']);
  });

  it('forgets a key after its tombstone', async () => {
    const topic = aCompactedTopic();
    await create(topic);
    await publish(topic, 'a', 'a1');
    await publish(topic, 'a', null);
    await age(topic, 2 * HOUR_MS);
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual([]);
  });

  it('deletes what a topic with retention has kept for long enough', async () => {
    const topic: TopicDefinition = {
      ...aTopic(1),
      cleanup: { policy: 'delete', retentionMs: HOUR_MS },
    };
    await create(topic);
    await publish(topic, 'a', 'a1');
    await age(topic, 2 * HOUR_MS);
    await publish(topic, 'a', 'a2');
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual(['a2']);
  });

  it('goes on reading after its connection was cut', async () => {
    const topic = aTopic(1);
    await create(topic);
    const reader = new EmbeddedTransport({ ...fixture, pollMs: 50, standbyMs: 50 });
    const group = aGroup();
    const collector = new Collector();
    const subscription = await reader.subscribe({
      group,
      topics: [topic.name],
      receiver: collector,
    });
    await publish(topic, 'a', 'before');
    await eventually(() => {
      expect(collector.valuesOf('a')).toEqual(['before']);
    });
    subscription.commit({ topic: topic.name, partition: 0, next: 1n });
    await eventually(async () => {
      expect(await subscription.progress()).toMatchObject([{ committed: 1n }]);
    });
    await runSql(
      fixture.adminUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bascule/group ${group}'`,
    );
    await publish(topic, 'a', 'after');
    await eventually(() => {
      expect(collector.valuesOf('a')).toEqual(['before', 'after']);
    });
    await reader.close();
  });
});
