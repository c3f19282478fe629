import { RecordTooLargeError } from '@bascule/messaging/internals';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { Collector } from '../fixtures/collector.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { numbers, record, useTransports } from '../fixtures/use-transports.js';

/** Contract of topics as a whole: their existence and all their records. */
export function describeReadingContract(name: string, open: () => Promise<TransportHarness>): void {
  describe(`${name} and whole topics`, () => {
    const { transport, topics, connect } = useTransports(open);

    it('reads all records up to the call, in the order of each key, with and without a group', async () => {
      const [many, few, none] = [aTopic(4), aTopic(1), aTopic(2)];
      await topics().apply([many, few, none]);
      const keys = numbers(30);
      for (const value of numbers(10)) {
        await transport().publish(keys.map((key) => record(many.name, key, value)));
      }
      await transport().publish([record(few.name, 'only', 'one')]);
      const member = await connect();
      const inGroup = new Collector();
      const subscription = await member.subscribe({
        group: aGroup(),
        topics: [many.name],
        receiver: inGroup,
      });
      await eventually(() => {
        expect(inGroup.records).toHaveLength(300);
      });
      const collector = new Collector();
      const reader = await connect();
      await reader.read({
        topics: [many.name, few.name, none.name],
        receiver: collector,
      });
      expect(collector.records).toHaveLength(301);
      for (const key of keys) expect(collector.valuesOf(key)).toEqual(numbers(10));
      expect(collector.valuesOf('only')).toEqual(['one']);
      // No group has committed anything.
      const progress = await subscription.progress();
      expect(progress.map(({ committed }) => committed)).toEqual([0n, 0n, 0n, 0n]);
      expect(inGroup.records).toHaveLength(300);
    });

    it('aborts a read on its signal', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      await transport().publish(numbers(5).map((n) => record(topic.name, 'key', n)));
      const abort = new AbortController();
      const reader = await connect();
      const reading = reader.read({
        topics: [topic.name],
        receiver: {
          receive: () => {
            abort.abort(new Error('enough'));
            return Promise.resolve();
          },
        },
        signal: abort.signal,
      });
      await expect(reading).rejects.toThrow('enough');
    });

    it('lists topics that are missing or differ from their declaration', async () => {
      const [absent, narrow, kept, right] = [aTopic(), aTopic(2), aTopic(1), aTopic(1)];
      await topics().apply([
        narrow,
        right,
        { ...kept, cleanup: { policy: 'delete', retentionMs: 86_400_000 } },
      ]);
      const wanted = [absent, { ...narrow, partitions: 6 }, kept, right];
      expect(await transport().missingTopics(wanted)).toEqual([
        `topic ${absent.name} is missing`,
        `topic ${narrow.name} has 2 partitions, expected 6`,
        `topic ${kept.name} has the clean-up policy delete, expected compact`,
      ]);
    });

    it('rejects a batch with a record that is too large, and continues', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      const large = record(topic.name, 'large', 'x'.repeat(600_000));
      const publishing = transport().publish([record(topic.name, 'key', '0'), large]);
      const refused = await publishing.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(RecordTooLargeError);
      expect(refused).toMatchObject({ records: [large] });
      await transport().publish([record(topic.name, 'key', '1')]);
      const collector = new Collector();
      await (await connect()).read({ topics: [topic.name], receiver: collector });
      expect(collector.records.map(({ value }) => value?.toString())).toEqual(['1']);
    });
  });
}
