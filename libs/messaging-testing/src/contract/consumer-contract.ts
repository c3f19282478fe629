import { upsertProjection } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { aFact, asRecord, type ConsumerOptions } from '../fixtures/consumer.fixture.js';
import { cut, FaultyTransport } from '../fixtures/faulty-transport.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { withSeededRandom } from '../fixtures/seeded-random.js';
import { useConsumers, versions } from '../fixtures/use-consumers.js';

interface Effect {
  key: string;
  version: number;
}

/** Contract of a service's handlers, on any transport. */
export function describeConsumerContract(
  name: string,
  open: () => Promise<TransportHarness>,
): void {
  describe(`${name} under a service’s handlers`, () => {
    const { dataSource, transport, createTopics, start, stop, count } = useConsumers(open);

    const effects = async (): Promise<Effect[]> =>
      dataSource().query('SELECT key, version FROM contract_effects ORDER BY nth');

    it('handles the facts of each key in order, and other keys and topics while one is stuck', async () => {
      const topics = [aTopic(1), aTopic(1)] as const;
      await createTopics(topics);
      const handled: string[] = [];
      let free: () => void = () => undefined;
      const stuck = new Promise<void>((resolve) => (free = resolve));
      const handle = async (event: { subject: string; data: { version: number } }) => {
        if (event.subject === 'stuck') await stuck;
        handled.push(`${event.subject}${event.data.version}`);
      };
      const { context } = await start({
        handlers: { [topics[0].name]: handle, [topics[1].name]: handle },
      });
      const publish = (topic: (typeof topics)[number], key: string, version: number) =>
        transport().publish([asRecord(topic, aFact(topic, key, version))]);
      await publish(topics[0], 'stuck', 1);
      await publish(topics[0], 'stuck', 2);
      for (const version of versions(3)) {
        await publish(topics[0], 'same-topic', version);
        await publish(topics[1], 'other-topic', version);
      }
      await eventually(() => {
        expect(handled).toHaveLength(6);
      });
      const oldest = await context.metrics
        .getSingleMetric('messaging_oldest_handler_seconds')
        ?.get();
      expect(oldest?.values).toMatchObject([{ labels: { topic: topics[0].name } }]);
      free();
      await eventually(() => {
        expect(handled).toHaveLength(8);
      });
      const of = (key: string) => handled.filter((entry) => entry.startsWith(key));
      expect(of('stuck')).toEqual(['stuck1', 'stuck2']);
      expect(of('same-topic')).toEqual(['same-topic1', 'same-topic2', 'same-topic3']);
      expect(of('other-topic')).toEqual(['other-topic1', 'other-topic2', 'other-topic3']);
    });

    it('applies each effect once under duplicates, random batch cuts, lost commits and restarts', () =>
      withSeededRandom(async (random) => {
        const topic = aTopic();
        const group = aGroup();
        await createTopics([topic]);
        const keys = versions(10).map((key) => `key-${key}`);
        const facts = versions(20).flatMap((version) =>
          random.shuffled(keys).map((key) => aFact(topic, key, version)),
        );
        const handlers: ConsumerOptions['handlers'] = {
          [topic.name]: (event, inbox) =>
            dataSource().transaction(async (manager) => {
              if (!(await inbox.once(manager, event))) return;
              await manager.query(
                'INSERT INTO contract_effects (event_id, key, version) VALUES ($1, $2, $3)',
                [event.id, event.subject, event.data.version],
              );
            }),
        };
        const publisher = new FaultyTransport(transport(), random);
        let consumer = await start({ group, handlers }, random);
        for (const batch of cut(facts, random)) {
          await publisher.publish(batch.map((fact) => asRecord(topic, fact)));
          if (random.percent(10)) {
            await stop(consumer);
            consumer = await start({ group, handlers }, random);
          }
        }
        await eventually(async () => {
          expect(await count('contract_effects')).toBe(facts.length);
        });
        // The last restart reads uncommitted records again.
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
      withSeededRandom(async (random) => {
        const topic = aTopic();
        await createTopics([topic]);
        const keys = versions(10).map((key) => `thing-${key}`);
        const facts = versions(15).flatMap((version) =>
          keys.map((key) => aFact(topic, key, version)),
        );
        await new FaultyTransport(transport(), random).publish(
          facts.map((fact) => asRecord(topic, fact)),
        );
        const regressions: string[] = [];
        const handlers: ConsumerOptions['handlers'] = {
          [topic.name]: async ({ subject, data }) => {
            const key = { thing_id: subject };
            const columns = { note: { version: data.version } };
            const table = 'contract_things';
            const { version } = data;
            await upsertProjection(dataSource().manager, { table, key, version, columns });
            const rows: { version: number }[] = await dataSource().query(
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
          const reader = await start({ group, handlers }, random);
          await eventually(async () => {
            expect(
              await dataSource().query(
                'SELECT thing_id, version, note FROM contract_things ORDER BY thing_id COLLATE "C"',
              ),
            ).toEqual(newest);
          });
          await stop(reader);
        }
        expect(regressions).toEqual([]);
      }));

    it('finishes what is in flight when it shuts down, and leaves the rest to the next process', async () => {
      const topic = aTopic(1);
      const group = aGroup();
      await createTopics([topic]);
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
      await transport().publish(
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
        // Finished records are redelivered where their commit was lost.
        const rest = handled.filter((entry) => entry !== 'second 1');
        expect(rest).toEqual(['first 1', 'second 2', 'second 3']);
      });
    });
  });
}
