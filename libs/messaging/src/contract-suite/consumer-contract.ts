import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { upsertProjection } from '../projections/upsert-projection.js';
import { InfrastructureError } from '../consuming/infrastructure-error.js';
import type { Transport } from '../transport/transport.js';
import {
  aFact,
  asRecord,
  type ConsumerOptions,
  type RunningConsumer,
  startConsumer,
} from './consumer-fixture.js';
import { cut, DisturbedTransport } from './disturbed-transport.js';
import { aGroup, aTopic, type TransportHarness } from './harness.js';
import { type Chance, withChance } from './randomness.js';

const TABLES = `
  CREATE TABLE contract_effects (
    nth bigint GENERATED ALWAYS AS IDENTITY, event_id uuid, key text, version int
  );
  CREATE TABLE contract_things (thing_id text PRIMARY KEY, version int NOT NULL, note jsonb)`;

interface Effect {
  key: string;
  version: number;
}

const versions = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** What a service's handlers can rely on, whatever transport carries the events. */
export function describeConsumerContract(
  name: string,
  open: () => Promise<TransportHarness>,
): void {
  describe(`${name} under a service’s handlers`, () => {
    let harness: TransportHarness;
    let transport: Transport;
    const running: RunningConsumer[] = [];
    const opened: Transport[] = [];

    beforeAll(async () => {
      harness = await open();
      transport = await harness.connect();
      await harness.dataSource.query(TABLES);
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((consumer) => consumer.stop()));
      await Promise.all(opened.splice(0).map((another) => another.close()));
      for (const table of [
        'contract_effects',
        'contract_things',
        'parked_events',
        'dead_letters',
      ]) {
        await harness.dataSource.query(`TRUNCATE ${table}`);
      }
    });
    afterAll(async () => {
      await transport.close();
      await harness.close();
    });

    async function start(
      options: Pick<ConsumerOptions, 'handlers'> & Partial<ConsumerOptions>,
      disturbance?: Chance,
    ): Promise<RunningConsumer> {
      const own = await harness.connect();
      opened.push(own);
      const consumer = await startConsumer({
        transport: disturbance === undefined ? own : new DisturbedTransport(own, disturbance),
        dataSource: harness.dataSource,
        group: aGroup(),
        ...options,
      });
      running.push(consumer);
      return consumer;
    }

    async function stop(consumer: RunningConsumer): Promise<void> {
      running.splice(running.indexOf(consumer), 1);
      await consumer.stop();
    }

    const effects = async (): Promise<Effect[]> =>
      harness.dataSource.query('SELECT key, version FROM contract_effects ORDER BY nth');

    const count = async (table: string): Promise<number> => {
      const rows: { n: number }[] = await harness.dataSource.query(
        `SELECT count(*)::int AS n FROM ${table}`,
      );
      return rows[0]?.n ?? 0;
    };

    it('handles the facts of each key in order, and other keys and topics beside a stuck one', async () => {
      const topics = [aTopic(1), aTopic(1)] as const;
      await transport.ensureTopics(topics);
      const handled: string[] = [];
      let free: () => void = () => undefined;
      const stuck = new Promise<void>((resolve) => (free = resolve));
      const handle = async (event: { subject: string; data: { version: number } }) => {
        if (event.subject === 'stuck') await stuck;
        handled.push(`${event.subject}${event.data.version}`);
      };
      await start({ handlers: { [topics[0].name]: handle, [topics[1].name]: handle } });
      const publish = (topic: (typeof topics)[number], key: string, version: number) =>
        transport.publish([asRecord(topic, aFact(topic, key, version))]);
      await publish(topics[0], 'stuck', 1);
      await publish(topics[0], 'stuck', 2);
      for (const version of versions(3)) {
        await publish(topics[0], 'same-topic', version);
        await publish(topics[1], 'other-topic', version);
      }
      await eventually(() => {
        expect(handled).toHaveLength(6);
      });
      free();
      await eventually(() => {
        expect(handled).toHaveLength(8);
      });
      const of = (key: string) => handled.filter((entry) => entry.startsWith(key));
      expect(of('stuck')).toEqual(['stuck1', 'stuck2']);
      expect(of('same-topic')).toEqual(['same-topic1', 'same-topic2', 'same-topic3']);
      expect(of('other-topic')).toEqual(['other-topic1', 'other-topic2', 'other-topic3']);
    });

    it('has each effect once under duplicates, random batch cuts, lost commits and restarts', () =>
      withChance(async (chance) => {
        const topic = aTopic();
        const group = aGroup();
        await transport.ensureTopics([topic]);
        const keys = versions(10).map((key) => `key-${key}`);
        const facts = versions(20).flatMap((version) =>
          chance.shuffled(keys).map((key) => aFact(topic, key, version)),
        );
        const handlers: ConsumerOptions['handlers'] = {
          [topic.name]: (event, inbox) =>
            harness.dataSource.transaction(async (manager) => {
              if (!(await inbox.once(manager, event))) return;
              await manager.query(
                'INSERT INTO contract_effects (event_id, key, version) VALUES ($1, $2, $3)',
                [event.id, event.subject, event.data.version],
              );
            }),
        };
        const publisher = new DisturbedTransport(transport, chance);
        let consumer = await start({ group, handlers }, chance);
        for (const batch of cut(facts, chance)) {
          await publisher.publish(batch.map((fact) => asRecord(topic, fact)));
          if (chance.percent(10)) {
            await stop(consumer);
            consumer = await start({ group, handlers }, chance);
          }
        }
        await eventually(async () => {
          expect(await count('contract_effects')).toBe(facts.length);
        });
        // A last restart reads again what no commit covered.
        await stop(consumer);
        const last = await start({ group, handlers });
        await eventually(async () => {
          expect((await last.context.health.evaluateReady()).checks.events).toBe(true);
        });
        for (const key of keys) {
          const own = (await effects()).filter((effect) => effect.key === key);
          expect(own.map((effect) => effect.version)).toEqual(versions(20));
        }
      }));

    it('keeps the newest version in a projection, under duplicates and a replay from the start', () =>
      withChance(async (chance) => {
        const topic = aTopic();
        await transport.ensureTopics([topic]);
        const keys = versions(10).map((key) => `thing-${key}`);
        const facts = versions(15).flatMap((version) =>
          keys.map((key) => aFact(topic, key, version)),
        );
        await new DisturbedTransport(transport, chance).publish(
          facts.map((fact) => asRecord(topic, fact)),
        );
        const regressions: string[] = [];
        const handlers: ConsumerOptions['handlers'] = {
          [topic.name]: async ({ subject, data }) => {
            const key = { thing_id: subject };
            const columns = { note: { version: data.version } };
            const table = 'contract_things';
            const { version } = data;
            await upsertProjection(harness.dataSource.manager, { table, key, version, columns });
            const rows: { version: number }[] = await harness.dataSource.query(
              'SELECT version FROM contract_things WHERE thing_id = $1',
              [subject],
            );
            if ((rows[0]?.version ?? 0) < version) regressions.push(subject);
          },
        };
        const newest = keys
          .map((key) => ({ thing_id: key, version: 15, note: { version: 15 } }))
          .sort((a, b) => (a.thing_id < b.thing_id ? -1 : 1));
        for (const group of [aGroup(), aGroup()]) {
          const reader = await start({ group, handlers }, chance);
          await eventually(async () => {
            expect(
              await harness.dataSource.query(
                'SELECT * FROM contract_things ORDER BY thing_id COLLATE "C"',
              ),
            ).toEqual(newest);
          });
          await stop(reader);
        }
        expect(regressions).toEqual([]);
      }));

    it('parks a failing fact, lets later ones of its key queue behind it in order, and keeps others moving', async () => {
      const topic = aTopic(1);
      await transport.ensureTopics([topic]);
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
          await transport.publish([asRecord(topic, aFact(topic, key, version))]);
        }
      }
      await eventually(async () => {
        expect(handled).toEqual(['good1', 'good2', 'good3', 'good4']);
        expect(await count('parked_events')).toBe(4);
      });
      const heads: unknown[] = await harness.dataSource.query(
        'SELECT 1 FROM parked_events WHERE due_at IS NOT NULL',
      );
      expect(heads).toHaveLength(1);
      broken = false;
      await eventually(async () => {
        expect(handled.slice(4)).toEqual(['bad1', 'bad2', 'bad3', 'bad4']);
        expect(await count('parked_events')).toBe(0);
      });
      // The key is as any other again.
      await transport.publish([asRecord(topic, aFact(topic, 'bad', 5))]);
      await eventually(() => {
        expect(handled.at(-1)).toBe('bad5');
      });
      expect(await count('dead_letters')).toBe(0);
    });

    it('dead-letters a fact after its last attempt, with the reason, and its key continues', async () => {
      const topic = aTopic(1);
      await transport.ensureTopics([topic]);
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
      await transport.publish(
        versions(3).map((version) => asRecord(topic, aFact(topic, 'key', version))),
      );
      await eventually(async () => {
        expect(handled).toEqual([2, 3]);
        expect(await count('parked_events')).toBe(0);
      });
      expect(attempts).toEqual([1, 1, 1, 2, 3]);
      expect(
        await harness.dataSource.query('SELECT key, attempts, reason FROM dead_letters'),
      ).toEqual([{ key: 'key', attempts: 3, reason: 'Error: cannot apply <- Error: no such leg' }]);
    });

    it('dead-letters what can never be handled, with the reason, and goes on', async () => {
      const topic = aTopic(1);
      await transport.ensureTopics([topic]);
      const handled: number[] = [];
      await start({
        eventTypes: { [topic.name]: ['thing.changed'] },
        handlers: {
          [topic.name]: async ({ data }) => {
            handled.push(data.version);
          },
        },
      });
      const fact = aFact(topic, 'key', 1);
      const raw = (value: string) => ({ ...asRecord(topic, fact), value: Buffer.from(value) });
      await transport.publish([
        raw('{"specversion"'),
        raw('{}'),
        asRecord(topic, { ...fact, type: 'thing.exploded' }),
        asRecord(topic, { ...fact, environment: 'elsewhere' }),
        asRecord(topic, aFact(topic, 'key', 2)),
      ]);
      await eventually(() => {
        expect(handled).toEqual([2]);
      });
      const reasons: { reason: string }[] = await harness.dataSource.query(
        'SELECT reason FROM dead_letters ORDER BY id',
      );
      expect(reasons.map((row) => row.reason)).toEqual([
        'not JSON',
        'not an event envelope',
        'unknown event type "thing.exploded"',
        'belongs to the environment "elsewhere"',
      ]);
      expect(await count('parked_events')).toBe(0);
    });

    it('pauses while the infrastructure is away, without counting attempts or losing order', async () => {
      const topic = aTopic(1);
      await transport.ensureTopics([topic]);
      const handled: number[] = [];
      let away = 3;
      await start({
        retryDelaysMs: [],
        handlers: {
          [topic.name]: async ({ data }) => {
            if (away > 0) {
              away -= 1;
              throw new InfrastructureError('the node is away');
            }
            handled.push(data.version);
          },
        },
      });
      await transport.publish(
        versions(3).map((version) => asRecord(topic, aFact(topic, 'key', version))),
      );
      await eventually(() => {
        expect(handled).toEqual([1, 2, 3]);
      });
      expect(await count('dead_letters')).toBe(0);
      expect(await count('parked_events')).toBe(0);
    });

    it('finishes what is in flight when it shuts down, and leaves the rest to the next process', async () => {
      const topic = aTopic(1);
      const group = aGroup();
      await transport.ensureTopics([topic]);
      const handled: string[] = [];
      let free: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (free = resolve));
      let started = 0;
      const first = await start({
        group,
        handlers: {
          [topic.name]: async ({ data }) => {
            started += 1;
            await gate;
            handled.push(`first ${data.version}`);
          },
        },
      });
      await transport.publish(
        versions(3).map((version) => asRecord(topic, aFact(topic, 'key', version))),
      );
      await eventually(() => {
        expect(started).toBe(1);
      });
      const stopped = stop(first);
      free();
      await stopped;
      expect(handled).toEqual(['first 1']);
      await start({
        group,
        handlers: {
          [topic.name]: async ({ data }) => {
            handled.push(`second ${data.version}`);
          },
        },
      });
      await eventually(() => {
        expect(handled).toEqual(['first 1', 'second 2', 'second 3']);
      });
    });
  });
}
