import type { TopicDefinition } from '@bascule/contracts';
import { InfrastructureError } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { aFact, asRecord } from '../fixtures/consumer.fixture.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { useConsumers, versions } from '../fixtures/use-consumers.js';

/** Contract of failing events, on any transport. */
export function describeFailureContract(name: string, open: () => Promise<TransportHarness>): void {
  describe(`${name} under failing handlers`, () => {
    const { dataSource, transport, createTopics, start, stop, count } = useConsumers(open);

    it('parks a failing fact, queues later ones of its key in order, and keeps handling others', async () => {
      const topic = aTopic(1);
      await createTopics([topic]);
      const handled: string[] = [];
      let broken = true;
      await start({
        retryDelaysMs: Array.from({ length: 1_000 }, () => 20),
        handlers: {
          [topic.name]: async ({ subject, data }) => {
            if (subject === 'bad' && data.version === 1 && broken) throw new Error('not yet');
            handled.push(`${subject}${data.version}`);
          },
        },
      });
      for (const version of versions(4)) {
        for (const key of ['bad', 'good']) {
          await transport().publish([asRecord(topic, aFact(topic, key, version))]);
        }
      }
      await eventually(async () => {
        expect(handled).toEqual(['good1', 'good2', 'good3', 'good4']);
        expect(await count('parked_events')).toBe(4);
      });
      const heads: unknown[] = await dataSource().query(
        'SELECT 1 FROM parked_events WHERE due_at IS NOT NULL',
      );
      expect(heads).toHaveLength(1);
      broken = false;
      await eventually(async () => {
        expect(handled.slice(4)).toEqual(['bad1', 'bad2', 'bad3', 'bad4']);
        expect(await count('parked_events')).toBe(0);
      });
      // The key is handled normally again.
      await transport().publish([asRecord(topic, aFact(topic, 'bad', 5))]);
      await eventually(() => {
        expect(handled.at(-1)).toBe('bad5');
      });
      expect(await count('dead_letters')).toBe(0);
    });

    it('dead-letters a fact after its last attempt, with the reason, and its key continues', async () => {
      const topic = aTopic(1);
      await createTopics([topic]);
      const attempts: number[] = [];
      const handled: number[] = [];
      await start({
        retryDelaysMs: [10, 20],
        handlers: {
          [topic.name]: async ({ data }) => {
            attempts.push(data.version);
            if (data.version === 1) {
              throw new Error('cannot apply', { cause: new Error('no such leg') });
            }
            handled.push(data.version);
          },
        },
      });
      await transport().publish(
        versions(3).map((version) => asRecord(topic, aFact(topic, 'key', version))),
      );
      await eventually(async () => {
        expect(handled).toEqual([2, 3]);
        expect(await count('parked_events')).toBe(0);
      });
      expect(attempts).toEqual([1, 1, 1, 2, 3]);
      expect(await dataSource().query('SELECT key, attempts, reason FROM dead_letters')).toEqual([
        { key: 'key', attempts: 3, reason: 'Error: cannot apply <- Error: no such leg' },
      ]);
    });

    it('dead-letters unacceptable records with the reason, and continues', async () => {
      const topic = aTopic(1);
      await createTopics([topic]);
      const handled: number[] = [];
      await start({
        topics: [topic],
        handlers: {
          [topic.name]: async ({ data }) => {
            handled.push(data.version);
          },
        },
      });
      const fact = aFact(topic, 'key', 1);
      const raw = (value: string) => ({ ...asRecord(topic, fact), value: Buffer.from(value) });
      await transport().publish([
        raw('{"specversion"'),
        raw('{}'),
        asRecord(topic, { ...fact, environment: 'elsewhere' }),
        asRecord(topic, { ...fact, dataschema: `bascule:${topic.name}:2` }),
        raw(
          JSON.stringify({
            ...fact,
            data: { version: 1, note: 'x'.repeat(topic.maxMessageBytes) },
          }),
        ),
        asRecord(topic, aFact(topic, 'key', 2)),
      ]);
      await eventually(() => {
        expect(handled).toEqual([2]);
      });
      const reasons: { reason: string }[] = await dataSource().query(
        'SELECT reason FROM dead_letters ORDER BY id',
      );
      expect(reasons.map((row) => row.reason)).toEqual([
        'not JSON',
        'not an event envelope',
        'belongs to the environment "elsewhere"',
        `unknown schema "bascule:${topic.name}:2", expected bascule:${topic.name}:1`,
        expect.stringMatching(/^\d+ bytes exceed the limit of 65536$/),
      ]);
      const announced: { envelope: string }[] = await dataSource().query(
        'SELECT envelope FROM outbox ORDER BY id',
      );
      expect(announced.map((row): unknown => JSON.parse(row.envelope))).toMatchObject(
        reasons.map(({ reason }) => ({ type: 'dead-letter.recorded', data: { reason } })),
      );
      expect(await count('parked_events')).toBe(0);
    });

    it('retries an event of a type that only a newer version knows, before later ones of its key', async () => {
      const topic = aTopic(1);
      const newer = {
        ...topic,
        schema: { ...topic.schema, types: [...topic.schema.types, 'thing.exploded'] },
      };
      await createTopics([topic]);
      const handled: string[] = [];
      const consume = (known: TopicDefinition, retryDelaysMs: readonly number[]) =>
        start({
          topics: [known],
          retryDelaysMs,
          group,
          handlers: {
            [topic.name]: async ({ type, data }) => {
              handled.push(`${type} ${data.version}`);
            },
          },
        });
      const group = aGroup();
      const older = await consume(topic, [600_000]);
      const exploded = { ...aFact(topic, 'key', 1), type: 'thing.exploded' };
      await transport().publish([
        asRecord(topic, exploded),
        asRecord(topic, aFact(topic, 'key', 2)),
      ]);
      await eventually(async () => expect(await count('parked_events')).toBe(2));
      const reasons = 'SELECT reason, attempts FROM parked_events ORDER BY id LIMIT 1';
      expect(await dataSource().query(reasons)).toEqual([
        { reason: 'UnknownEventTypeError: unknown event type "thing.exploded"', attempts: 1 },
      ]);
      await stop(older);
      await consume(newer, []);
      await dataSource().query('UPDATE parked_events SET due_at = now() WHERE due_at IS NOT NULL');
      await eventually(() => {
        expect(handled).toEqual(['thing.exploded 1', 'thing.changed 2']);
      });
      expect(await count('dead_letters')).toBe(0);
    });

    it('dead-letters an event of a type that no version knows after the last retry', async () => {
      const topic = aTopic(1);
      await createTopics([topic]);
      const handled: number[] = [];
      await start({
        topics: [topic],
        handlers: {
          [topic.name]: async ({ data }) => {
            handled.push(data.version);
          },
        },
      });
      const exploded = { ...aFact(topic, 'key', 1), type: 'thing.exploded' };
      await transport().publish([
        asRecord(topic, exploded),
        asRecord(topic, aFact(topic, 'key', 2)),
      ]);
      await eventually(() => {
        expect(handled).toEqual([2]);
      });
      expect(await dataSource().query('SELECT reason, attempts FROM dead_letters')).toEqual([
        { reason: 'UnknownEventTypeError: unknown event type "thing.exploded"', attempts: 3 },
      ]);
    });

    it('pauses while the infrastructure is unavailable, without counting attempts or losing order', async () => {
      const topic = aTopic(1);
      await createTopics([topic]);
      const handled: number[] = [];
      let away = 3;
      await start({
        retryDelaysMs: [],
        handlers: {
          [topic.name]: async ({ data }) => {
            if (away > 0) {
              away -= 1;
              throw new InfrastructureError('the node is unavailable');
            }
            handled.push(data.version);
          },
        },
      });
      await transport().publish(
        versions(3).map((version) => asRecord(topic, aFact(topic, 'key', version))),
      );
      await eventually(() => {
        expect(handled).toEqual([1, 2, 3]);
      });
      expect(await count('dead_letters')).toBe(0);
      expect(await count('parked_events')).toBe(0);
    });
  });
}
