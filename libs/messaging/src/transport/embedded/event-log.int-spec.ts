import type { TopicDefinition } from '@bascule/contracts';
import {
  aGroup,
  aTopic,
  Collector,
  messagingFixture,
  type MessagingFixture,
} from '@bascule/messaging-testing';
import { eventually, runSql } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

  it('can be provisioned repeatedly and concurrently', async () => {
    const provisioned = Promise.all([1, 2, 3].map(() => provisionEventLog(fixture.adminUrl)));
    await expect(provisioned).resolves.toHaveLength(3);
  });

  it('keeps the newest record of a key, and readers skip removed offsets', async () => {
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

  it('keeps records for the compaction lag, even superseded ones', async () => {
    const topic = aCompactedTopic();
    await create(topic);
    await publish(topic, 'a', 'a1');
    await age(topic, 2 * HOUR_MS);
    await publish(topic, 'a', 'a2');
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual(['a1', 'a2']);
  });

  it('removes a key after its tombstone', async () => {
    const topic = aCompactedTopic();
    await create(topic);
    await publish(topic, 'a', 'a1');
    await publish(topic, 'a', null);
    await age(topic, 2 * HOUR_MS);
    await cleanUp(fixture.dataSource);
    expect(await values(topic)).toEqual([]);
  });

  it('deletes records older than the retention of their topic', async () => {
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

  it('assigns consecutive offsets in a partition under concurrent publishers', async () => {
    const [one, other] = [aTopic(3), aTopic(3)];
    await new EmbeddedTopics(fixture.dataSource).apply([one, other]);
    const keys = Array.from({ length: 12 }, (_, n) => `key ${n}`);
    const batch = (writer: number): { topic: string; key: string }[] => {
      const records = [one, other].flatMap(({ name }) => keys.map((key) => ({ topic: name, key })));
      return writer % 2 === 0 ? records : records.reverse();
    };
    await Promise.all(
      Array.from({ length: 16 }, (_, writer) =>
        fixture.transport.publish(
          batch(writer).map((to) => ({ ...to, headers: {}, value: Buffer.from(`${writer}`) })),
        ),
      ),
    );
    const partitions: { records: number; last: string; end: string }[] =
      await fixture.dataSource.query(
        `SELECT count(r.topic)::integer AS records, max(r."offset") + 1 AS last, p.next_offset AS "end"
         FROM event_log.partitions p LEFT JOIN event_log.records r USING (topic, partition)
         WHERE p.topic = ANY ($1) GROUP BY p.topic, p.partition`,
        [[one.name, other.name]],
      );
    expect(partitions.reduce((sum, { records }) => sum + records, 0)).toBe(2 * 12 * 16);
    for (const { records, last, end } of partitions.filter((found) => found.records > 0)) {
      expect([last, end]).toEqual([String(records), String(records)]);
    }
  });

  it('appends a batch completely or not at all, even if a partition was removed meanwhile', async () => {
    const topic = aTopic(2);
    await create(topic);
    await publish(topic, 'a', 'early');
    await fixture.dataSource.query(
      'DELETE FROM event_log.partitions WHERE topic = $1 AND partition = 1',
      [topic.name],
    );
    const many = Array.from({ length: 20 }, (_, n) => ({
      topic: topic.name,
      key: `key ${n}`,
      headers: {},
      value: Buffer.from('late'),
    }));
    await expect(fixture.transport.publish(many)).rejects.toThrow('offset');
    expect(await values(topic)).not.toContain('late');
  });

  it('delivers records that arrived under backpressure or exceeded one fetch, without waiting for a poll', async () => {
    const [full, other] = [aTopic(1), aTopic(1)];
    await new EmbeddedTopics(fixture.dataSource).apply([full, other]);
    for (const value of ['1', '2', '3', '4', '5']) await publish(full, 'a', value);
    const reader = new EmbeddedTransport({ ...fixture, pollMs: HOUR_MS, fetchSize: 2 });
    const taken: string[] = [];
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<undefined>();
    await reader.subscribe({
      group: aGroup(),
      topics: [full.name, other.name],
      receiver: {
        receive: async ({ records }) => {
          taken.push(...records.map(({ value }) => String(value)));
          if (taken.at(-1) === 'no room') await room;
        },
        release: () => Promise.resolve(),
      },
    });
    const comes = (...values: string[]): Promise<void> =>
      eventually(() => {
        expect(taken).toEqual(values);
      });
    await comes('1', '2', '3', '4', '5');
    await publish(full, 'a', 'no room');
    await comes('1', '2', '3', '4', '5', 'no room');
    await publish(full, 'a', 'behind');
    await publish(other, 'a', 'beside');
    await comes('1', '2', '3', '4', '5', 'no room', 'beside');
    makeRoom(undefined);
    await comes('1', '2', '3', '4', '5', 'no room', 'beside', 'behind');
    await reader.close();
  });

  it('continues reading after its connection was cut', async () => {
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
