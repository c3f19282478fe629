import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import { DeadLetters, InfrastructureError } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import {
  aFact,
  asRecord,
  type FactData,
  type RunningConsumer,
} from '../fixtures/consumer.fixture.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { useConsumers, versions } from '../fixtures/use-consumers.js';

type Fact = EventEnvelope<string, FactData>;

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

    describe('keys that mostly fail', () => {
      const ORGANISATIONS = ['a', 'b', 'c'];

      const factOf = (topic: TopicDefinition, organisation: string, key: string, version = 1) => {
        const fact = aFact(topic, key, version);
        return { ...fact, data: { ...fact.data, org_id: organisation } };
      };

      /** Publishes an event of as many keys of each organisation. */
      const publish = (topic: TopicDefinition, keys: number, organisations = ORGANISATIONS) =>
        transport().publish(
          versions(keys).flatMap((n) =>
            organisations.map((each) => asRecord(topic, factOf(topic, each, `${each}-${n}`))),
          ),
        );

      const paused = (consumer: RunningConsumer, topic: TopicDefinition, is = 1) =>
        eventually(async () => {
          expect(await consumer.context.metrics.metrics()).toContain(
            `messaging_topic_paused{topic="${topic.name}"} ${is}\n`,
          );
        });

      const attempts = async (): Promise<number> => {
        const rows: { sum: number }[] = await dataSource().query(
          'SELECT coalesce(sum(attempts), 0)::int AS sum FROM parked_events',
        );
        return rows[0]?.sum ?? 0;
      };

      it('pause their topic in all replicas without an attempt, which resumes by itself', async () => {
        const [topic, other] = [aTopic(1), aTopic(1)];
        await createTopics([topic, other]);
        const group = aGroup();
        const handled: string[] = [];
        let calls = 0;
        let broken = true;
        const options = {
          group,
          topics: [topic, other],
          retryDelaysMs: Array.from({ length: 1_000 }, () => 20),
          handlers: {
            [topic.name]: async ({ subject, data }: Fact) => {
              calls += 1;
              if (broken) throw new Error('bad deploy');
              handled.push(`${subject} ${data.version}`);
            },
            [other.name]: async ({ subject }: Fact) => {
              handled.push(subject);
            },
          },
        };
        const replicas = [await start(options), await start(options)];
        // More than the window of a partition.
        await publish(topic, 40);
        await transport().publish([asRecord(topic, factOf(topic, 'a', 'a-1', 2))]);
        for (const replica of replicas) await paused(replica, topic);

        // Events wait in the log, and in the table without another attempt, while probes go on. Attempts that began before
        // the pause are written first.
        await eventually(async () => {
          const before = { calls, attempts: await attempts() };
          await eventually(() => {
            expect(calls).toBeGreaterThan(before.calls + 10);
          });
          expect(await attempts()).toBe(before.attempts);
        });
        expect(await count('dead_letters')).toBe(0);
        expect(await count('parked_events')).toBeLessThan(40);
        await publish(other, 1);
        await eventually(() => {
          expect([...handled].sort()).toEqual(['a-1', 'b-1', 'c-1']);
        });

        // A restart keeps the pause, and does not wait for its end to be ready.
        for (const replica of replicas) await stop(replica);
        const restarted = await start(options);
        await paused(restarted, topic);
        await eventually(async () => {
          expect((await restarted.context.health.evaluateReady()).checks.events).toBe(true);
        });

        broken = false;
        await paused(restarted, topic, 0);
        await eventually(async () => {
          expect(new Set(handled).size).toBe(3 + 3 * 40 + 1);
          expect(await count('parked_events')).toBe(0);
        });
        expect(handled.indexOf('a-1 2')).toBeGreaterThan(handled.indexOf('a-1 1'));
        expect(await count('dead_letters')).toBe(0);
      });

      it('do not pause a topic when they belong to one organisation, however many they are', async () => {
        const topic = aTopic(1);
        await createTopics([topic]);
        const handled = new Set<string>();
        const consumer = await start({
          topics: [topic],
          retryDelaysMs: [],
          handlers: {
            [topic.name]: async ({ subject }: Fact) => {
              if (!subject.startsWith('good')) throw new Error('crafted');
              handled.add(subject);
            },
          },
        });
        // Some failures of others at the same time do not help the attacker.
        await publish(topic, 1, ['unlucky', 'unluckier', 'unluckiest']);
        for (let sent = 0; sent < 2_000; sent += 500) await publish(topic, 500, ['attacker']);
        await publish(topic, 3, ['good']);
        await eventually(async () => {
          expect([...handled]).toEqual(['good-1', 'good-2', 'good-3']);
          expect(await count('dead_letters')).toBeGreaterThanOrEqual(503);
        });
        expect(await count('topic_pauses')).toBe(0);
        await paused(consumer, topic, 0);
      });

      it('do not hold up a dead letter that an operator replays, and a success resumes the topic', async () => {
        const topic = aTopic(1);
        await createTopics([topic]);
        const handled: string[] = [];
        const tried: string[] = [];
        let fixed = '';
        const expireDelays = () => dataSource().query('UPDATE parked_events SET due_at = now()');
        const consumer = await start({
          topics: [topic],
          retryDelaysMs: [3_600_000],
          // No probe comes meanwhile.
          breaker: { firstProbeMs: 3_600_000 },
          handlers: {
            [topic.name]: async ({ subject }: Fact) => {
              tried.push(subject);
              if (!subject.startsWith('a')) throw new Error('no such leg');
              if (fixed === '') throw new Error('bad deploy');
              handled.push(subject);
            },
          },
        });
        await transport().publish([asRecord(topic, factOf(topic, 'dead', 'dead'))]);
        await eventually(async () => {
          await expireDelays();
          expect(await count('dead_letters')).toBe(1);
        });
        await publish(topic, 10, ['a', 'aa', 'ab']);
        await paused(consumer, topic);
        const letters = new DeadLetters(dataSource());
        const [letter] = await letters.list({ limit: 1 });
        await dataSource().query(`UPDATE dead_letters SET key = 'other', value = $1`, [
          Buffer.from(JSON.stringify(factOf(topic, 'a', 'a-replayed'))),
        ]);
        // They are due before it, but wait.
        await expireDelays();
        const before = tried.length;
        // One that fails waits as the others do, without an attempt.
        expect(await letters.replay(letter?.id ?? '', 'somebody')).toBe('done');
        await eventually(async () => {
          expect(
            await dataSource().query(
              `SELECT attempts, reason FROM parked_events WHERE key = 'other'`,
            ),
          ).toEqual([{ attempts: 0, reason: 'Error: bad deploy' }]);
        });
        expect(tried.slice(before)).toEqual(['a-replayed']);
        fixed = 'yes';
        await dataSource().query(
          `UPDATE parked_events SET reason = 'replayed' WHERE key = 'other'`,
        );
        await eventually(async () => {
          await expireDelays();
          expect(handled).toContain('a-replayed');
          expect(new Set(handled).size).toBe(31);
        });
        await paused(consumer, topic, 0);
      });

      it('are held, not dead-lettered, where only a newer version knows their schema', async () => {
        const topic = aTopic(1);
        const newer = { ...topic, schema: { ...topic.schema, version: 2 } };
        await createTopics([topic]);
        const group = aGroup();
        const handled = new Set<string>();
        const consume = (known: TopicDefinition) =>
          start({
            group,
            topics: [known],
            handlers: {
              [topic.name]: async ({ subject }: Fact) => {
                handled.add(subject);
              },
            },
          });
        const older = await consume(topic);
        await transport().publish(
          versions(20).flatMap((n) =>
            ORGANISATIONS.map((each) =>
              asRecord(topic, {
                ...factOf(topic, each, `${each}-${n}`),
                dataschema: `bascule:${topic.name}:2`,
              }),
            ),
          ),
        );
        await paused(older, topic);
        await stop(older);
        await consume(newer);
        await eventually(async () => {
          const dead: { key: string }[] = await dataSource().query('SELECT key FROM dead_letters');
          expect(dead.length).toBeLessThan(8);
          // One behind a held event is delivered again.
          expect(new Set([...handled, ...dead.map(({ key }) => key)]).size).toBe(60);
        });
      });
    });
  });
}
