import type { Subscription } from '@bascule/messaging';
import { TopicsUnavailableError } from '@bascule/messaging/internals';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { Collector } from '../fixtures/collector.js';
import { cut } from '../fixtures/faulty-transport.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { withSeededRandom } from '../fixtures/seeded-random.js';
import { numbers, record, useTransports } from '../fixtures/use-transports.js';

/** Resolves when the broker stored the commit; a lost commit causes a redelivery. */
async function commit(subscription: Subscription, topic: string, next: bigint): Promise<void> {
  subscription.commit({ topic, partition: 0, next });
  await eventually(async () => {
    expect(await subscription.progress()).toMatchObject([{ committed: next }]);
  });
}

/** Contract of every transport. */
export function describeTransportContract(
  name: string,
  open: () => Promise<TransportHarness>,
): void {
  describe(`${name} as a transport`, () => {
    const { transport, topics: administration, connect } = useTransports(open);

    it('keeps the order of each key, in one partition, however publishing is cut into batches', () =>
      withSeededRandom(async (random) => {
        const topic = aTopic();
        await administration().apply([topic]);
        const collector = new Collector();
        const reader = await connect();
        await reader.subscribe({ group: aGroup(), topics: [topic.name], receiver: collector });
        const keys = numbers(20).map((key) => `key-${key}`);
        const publishers = [transport(), await connect()];
        // Each key has one writer at a time: its row in a service's database is locked.
        await Promise.all(
          publishers.map(async (publisher, index) => {
            const own = keys.filter((_, n) => n % 2 === index);
            const facts = numbers(25).flatMap((value) =>
              random.shuffled(own).map((key) => record(topic.name, key, value)),
            );
            for (const batch of cut(facts, random)) await publisher.publish(batch);
          }),
        );
        await eventually(() => {
          expect(collector.records).toHaveLength(500);
        });
        for (const key of keys) {
          expect(collector.valuesOf(key)).toEqual(numbers(25));
          const partitions = collector.records.filter((r) => r.key === key).map((r) => r.partition);
          expect(new Set(partitions).size).toBe(1);
        }
        expect(new Set(collector.records.map((r) => r.partition)).size).toBe(topic.partitions);
      }));

    it('carries keys, headers and bytes unchanged, and tombstones', async () => {
      const topic = aTopic(1);
      await administration().apply([topic]);
      const headers = { 'content-type': 'application/json', traceparent: '00-ab-cd-01' };
      const bytes = Buffer.from([0, 255, 10, 13, 128]);
      await transport().publish([
        { topic: topic.name, key: 'ключ "1"', headers, value: bytes },
        { topic: topic.name, key: 'gone', headers: {}, value: null },
      ]);
      const collector = new Collector();
      const reader = await connect();
      await reader.subscribe({ group: aGroup(), topics: [topic.name], receiver: collector });
      await eventually(() => {
        expect(collector.records).toEqual([
          { topic: topic.name, partition: 0, offset: 0n, key: 'ключ "1"', headers, value: bytes },
          { topic: topic.name, partition: 0, offset: 1n, key: 'gone', headers: {}, value: null },
        ]);
      });
    });

    it('starts a new group at the first record', async () => {
      const topic = aTopic();
      await administration().apply([topic]);
      await transport().publish(numbers(50).map((n) => record(topic.name, n, 'old')));
      const collector = new Collector();
      const reader = await connect();
      await reader.subscribe({ group: aGroup(), topics: [topic.name], receiver: collector });
      await eventually(() => {
        expect(collector.records).toHaveLength(50);
      });
    });

    it('continues after the last commit, and redelivers uncommitted records', async () => {
      const topic = aTopic(1);
      const group = aGroup();
      await administration().apply([topic]);
      await transport().publish(numbers(10).map((n) => record(topic.name, 'key', n)));
      const first = await connect();
      const before = new Collector();
      const subscription = await first.subscribe({
        group,
        topics: [topic.name],
        receiver: before,
      });
      await eventually(() => {
        expect(before.records).toHaveLength(10);
      });
      await commit(subscription, topic.name, 4n);
      await subscription.close();

      const after = new Collector();
      const second = await connect();
      await second.subscribe({ group, topics: [topic.name], receiver: after });
      await eventually(() => {
        expect(after.valuesOf('key')).toEqual(numbers(10).slice(4));
      });
    });

    it('assigns a partition to one process of a group at a time, and to another when it leaves', async () => {
      const topic = aTopic(1);
      const group = aGroup();
      await administration().apply([topic]);
      const collectors = [new Collector(), new Collector()];
      const subscriptions: Subscription[] = [];
      for (const receiver of collectors) {
        const process = await connect();
        subscriptions.push(await process.subscribe({ group, topics: [topic.name], receiver }));
      }
      // A member that joins later may receive uncommitted records of another.
      await eventually(() => {
        expect(subscriptions.every((subscription) => subscription.state().joined)).toBe(true);
      });
      await transport().publish(numbers(5).map((n) => record(topic.name, 'key', n)));
      const reader = await eventually(() => {
        const found = collectors.findIndex((collector) => collector.records.length === 5);
        expect(found).not.toBe(-1);
        return found;
      });
      expect(collectors[1 - reader]?.records).toEqual([]);
      const leaving = subscriptions[reader];
      if (leaving !== undefined) await commit(leaving, topic.name, 5n);
      await leaving?.close();
      await transport().publish([record(topic.name, 'key', '5')]);
      await eventually(() => {
        expect(collectors[1 - reader]?.valuesOf('key')).toEqual(['5']);
      });
    });

    it('delivers records to each group independently', async () => {
      const topic = aTopic();
      await administration().apply([topic]);
      const reader = await connect();
      const collectors = [new Collector(), new Collector()];
      for (const receiver of collectors) {
        await reader.subscribe({ group: aGroup(), topics: [topic.name], receiver });
      }
      await transport().publish([record(topic.name, 'key', 'fact')]);
      await eventually(() => {
        expect(collectors.map((collector) => collector.valuesOf('key'))).toEqual([
          ['fact'],
          ['fact'],
        ]);
      });
    });

    it('reads other partitions while one is under backpressure', async () => {
      const topics = [aTopic(1), aTopic(1)] as const;
      await administration().apply(topics);
      const collector = new Collector();
      const reader = await connect();
      await reader.subscribe({
        group: aGroup(),
        topics: topics.map((topic) => topic.name),
        receiver: {
          receive: async (batch) => {
            await collector.receive(batch);
            if (batch.topic === topics[0].name) await new Promise(() => undefined);
          },
          release: () => Promise.resolve(),
        },
      });
      for (const n of numbers(3)) {
        await transport().publish(topics.map((topic) => record(topic.name, topic.name, n)));
        await eventually(() => {
          expect(collector.valuesOf(topics[1].name)).toContain(n);
        });
      }
      expect(collector.valuesOf(topics[0].name)).toEqual(['0']);
    });

    it('reports the progress of a group', async () => {
      const topic = aTopic(1);
      await administration().apply([topic]);
      await transport().publish(numbers(3).map((n) => record(topic.name, 'key', n)));
      const reader = await connect();
      const collector = new Collector();
      const subscription = await reader.subscribe({
        group: aGroup(),
        topics: [topic.name],
        receiver: collector,
      });
      await eventually(() => {
        expect(subscription.state().assigned).toBe(true);
        expect(collector.records).toHaveLength(3);
      });
      subscription.commit({ topic: topic.name, partition: 0, next: 2n });
      await eventually(async () => {
        expect(await subscription.progress()).toEqual([
          { topic: topic.name, partition: 0, committed: 2n, end: 3n },
        ]);
      });
    });

    it('rejects records of a missing topic, and publishes the others', async () => {
      const topic = aTopic(1);
      await administration().apply([topic]);
      const publishing = transport().publish([
        record('contract.nowhere', 'key', 'x'),
        record(topic.name, 'key', '1'),
        record('contract.nowhere', 'key', 'y'),
        record(topic.name, 'key', '2'),
      ]);
      const refused = await publishing.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(TopicsUnavailableError);
      expect(refused).toMatchObject({ topics: new Set(['contract.nowhere']) });
      await transport().publish([record(topic.name, 'key', '3')]);
      const collector = new Collector();
      await (await connect()).read({ topics: [topic.name], receiver: collector });
      expect(collector.valuesOf('key')).toEqual(['1', '2', '3']);
    });
  });
}
