import type { RecordBatch, Subscription } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { Collector } from '../fixtures/collector.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { numbers, record, useTransports } from '../fixtures/use-transports.js';

/** Receiver that commits each batch at once. */
class Committer extends Collector {
  subscription: Subscription | undefined;

  override async receive(batch: RecordBatch): Promise<void> {
    await super.receive(batch);
    const next = (batch.records.at(-1)?.offset ?? 0n) + 1n;
    this.subscription?.commit({ topic: batch.topic, partition: batch.partition, next });
  }
}

/** Contract of processes that share a group. */
export function describeGroupContract(name: string, open: () => Promise<TransportHarness>): void {
  describe(`${name} and the processes of a group`, () => {
    const { transport, topics, connect } = useTransports(open);

    it('keeps a process in the group while its receiver is busy for longer than a session', async () => {
      const topic = aTopic(1);
      const group = aGroup();
      await topics().apply([topic]);
      await transport().publish([record(topic.name, 'key', 'first')]);
      const sessionTimeoutMs = 5_000;
      const taken: string[] = [];
      let released = 0;
      const reader = await connect({ sessionTimeoutMs });
      const subscription = await reader.subscribe({
        group,
        topics: [topic.name],
        receiver: {
          receive: async ({ records }) => {
            taken.push(...records.map(({ value }) => String(value)));
            await new Promise((resolve) => setTimeout(resolve, 2 * sessionTimeoutMs));
            subscription.commit({ topic: topic.name, partition: 0, next: 1n });
          },
          release: () => {
            released += 1;
            return Promise.resolve();
          },
        },
      });
      await eventually(async () => {
        expect(await subscription.progress()).toMatchObject([{ committed: 1n }]);
      });
      // After an eviction it would have rejoined and received the record again.
      expect(released).toBe(0);
      expect(taken).toEqual(['first']);
    });

    it('stops fetching a partition under backpressure, and continues in order afterwards', async () => {
      const [full, other] = [aTopic(1), aTopic(1)];
      await topics().apply([full, other]);
      const collector = new Collector();
      let makeRoom: () => void = () => undefined;
      const room = new Promise<void>((resolve) => (makeRoom = resolve));
      const reader = await connect();
      await reader.subscribe({
        group: aGroup(),
        topics: [full.name, other.name],
        receiver: {
          receive: async (batch) => {
            await collector.receive(batch);
            if (batch.topic === full.name) await room;
          },
          release: () => Promise.resolve(),
        },
      });
      for (const n of numbers(20)) {
        await transport().publish([record(full.name, 'key', n), record(other.name, 'other', n)]);
        await eventually(() => {
          expect(collector.valuesOf('other')).toContain(n);
        });
      }
      const before = collector.valuesOf('key').length;
      expect(before).toBeLessThan(20);
      makeRoom();
      await eventually(() => {
        expect(collector.valuesOf('key')).toEqual(numbers(20));
      });
    });

    it('redelivers a rejected batch before all later records', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      const collector = new Collector();
      let refusals = 0;
      const reader = await connect();
      await reader.subscribe({
        group: aGroup(),
        topics: [topic.name],
        receiver: {
          receive: async (batch) => {
            if (refusals === 0) {
              refusals += 1;
              throw new Error('not now');
            }
            await collector.receive(batch);
          },
          release: () => Promise.resolve(),
        },
      });
      for (const n of numbers(5)) await transport().publish([record(topic.name, 'key', n)]);
      await eventually(() => {
        expect(collector.valuesOf('key')).toEqual(numbers(5));
      });
      expect(refusals).toBe(1);
    });

    it('restarts in place at the last commit', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      await transport().publish(numbers(6).map((n) => record(topic.name, 'key', n)));
      const collector = new Collector();
      const released: number[] = [];
      const reader = await connect();
      const subscription = await reader.subscribe({
        group: aGroup(),
        topics: [topic.name],
        receiver: {
          receive: (batch) => collector.receive(batch),
          release: (partitions) => {
            released.push(...partitions.map(({ partition }) => partition));
            return Promise.resolve();
          },
        },
      });
      await eventually(() => {
        expect(collector.valuesOf('key')).toEqual(numbers(6));
      });
      subscription.commit({ topic: topic.name, partition: 0, next: 4n });
      await eventually(async () => {
        expect(await subscription.progress()).toMatchObject([{ committed: 4n }]);
      });
      await subscription.restart();
      await eventually(() => {
        expect(collector.valuesOf('key')).toEqual([...numbers(6), '4', '5']);
      });
      expect(released).toEqual([0]);
      expect(subscription.state()).toMatchObject({ assigned: true, joined: true });
    });

    it('shares the work among some of the processes while the others stand by', async () => {
      const topic = aTopic(2);
      const group = aGroup();
      await topics().apply([topic]);
      const members = await Promise.all(
        numbers(4).map(async () => {
          const process = await connect();
          const receiver = new Committer();
          const subscription = await process.subscribe({ group, topics: [topic.name], receiver });
          receiver.subscription = subscription;
          return { receiver, subscription };
        }),
      );
      const keys = numbers(8);
      const received = () => members.flatMap(({ receiver }) => receiver.records);
      const expectAll = (rounds: number) =>
        eventually(() => {
          for (const key of keys) {
            const own = received().filter((one) => one.key === key);
            expect(new Set(own.map(({ offset }) => offset)).size).toBe(rounds);
          }
        });
      await eventually(() => {
        expect(members.every(({ subscription }) => subscription.state().joined)).toBe(true);
      });
      let rounds = 0;
      for (const leaving of members) {
        for (let n = 0; n < 5; n += 1) {
          await transport().publish(keys.map((key) => record(topic.name, key, String(rounds))));
          rounds += 1;
        }
        await expectAll(rounds);
        await eventually(() => {
          const atWork = members.filter(({ subscription }) => subscription.state().assigned);
          expect(atWork.length).toBeGreaterThan(0);
          expect(atWork.length).toBeLessThanOrEqual(topic.partitions);
        });
        await leaving.subscription.close();
        expect(leaving.subscription.state().assigned).toBe(false);
      }
      for (const { receiver } of members) {
        for (const key of keys) {
          // Records that a member could not commit before a revocation are redelivered.
          const own = [...new Set(receiver.valuesOf(key).map(Number))];
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }
    });

    it('reads partitions that were added while it runs', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      const collector = new Committer();
      const conditions = { partitionsMaxAgeMs: 300 };
      const reader = await connect(conditions);
      const publisher = await connect(conditions);
      collector.subscription = await reader.subscribe({
        group: aGroup(),
        topics: [topic.name],
        receiver: collector,
      });
      const keys = numbers(20);
      await publisher.publish(keys.map((key) => record(topic.name, key, 'before')));
      await eventually(() => {
        expect(collector.records).toHaveLength(20);
      });
      await topics().apply([{ ...topic, partitions: 4 }]);
      await eventually(async () => {
        await publisher.publish(keys.map((key) => record(topic.name, key, 'after')));
        const partitions = new Set(collector.records.map(({ partition }) => partition));
        expect([...partitions].sort()).toEqual([0, 1, 2, 3]);
      });
      for (const key of keys) expect(collector.valuesOf(key)[0]).toBe('before');
    });
  });
}
