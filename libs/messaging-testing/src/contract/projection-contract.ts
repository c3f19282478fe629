import type { TopicDefinition } from '@bascule/contracts';
import { isProjectedBy, upsertProjection } from '@bascule/messaging';
import type { RevisedProjection } from '@bascule/messaging';
import { ProjectionStatesRepository } from '@bascule/messaging/internals';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type {
  ConsumerOptions,
  FactHandler,
  RunningConsumer,
} from '../fixtures/consumer.fixture.js';
import { aFact, asRecord } from '../fixtures/consumer.fixture.js';
import { aGroup, aTopic, type TransportHarness } from '../fixtures/harness.js';
import { type SeededRandom, withSeededRandom } from '../fixtures/seeded-random.js';
import { SourceState } from '../fixtures/source-state.js';
import { useConsumers } from '../fixtures/use-consumers.js';

const TABLE = 'contract_things';
/** Timeout of tests that join groups and read topics several times. */
const PATIENCE = { timeoutMs: 90_000 };
const TEST_MS = 240_000;
/** Lease of a builder that is cut off; other builders have a long one. */
const LEASE_MS = 5_000;
/** Records every regression of a correct row to an older state. */
const WATCH = [
  'CREATE TABLE IF NOT EXISTS contract_regressions (thing_id text)',
  `CREATE OR REPLACE FUNCTION note_regression() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF NEW.version < OLD.version AND OLD.version < 900 THEN
       INSERT INTO contract_regressions VALUES (NEW.thing_id);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE TRIGGER contract_regression AFTER UPDATE ON contract_things
   FOR EACH ROW EXECUTE FUNCTION note_regression()`,
];

/** Contract of builds and rebuilds of projections, on any transport. */
export function describeProjectionContract(
  name: string,
  open: () => Promise<TransportHarness>,
): void {
  describe(`${name} and projections`, () => {
    const { dataSource, transport, createTopics, start, stop, count } = useConsumers(open);
    const states = (): ProjectionStatesRepository => new ProjectionStatesRepository(dataSource());

    const keep =
      (source: () => DataSource): FactHandler =>
      ({ subject, data: { version } }) =>
        upsertProjection(source().manager, {
          table: TABLE,
          key: { thing_id: subject },
          version,
          columns: { note: { version } },
        });

    const projecting = (
      topic: TopicDefinition,
      handler: FactHandler = keep(dataSource),
    ): Pick<ConsumerOptions, 'handlers' | 'projections' | 'topics'> => ({
      handlers: { [topic.name]: handler },
      projections: { [topic.name]: [TABLE] },
      topics: [topic],
    });

    const isReady = async ({ context }: RunningConsumer): Promise<unknown> =>
      (await context.health.evaluateReady()).checks.projections;

    const built = (consumer: RunningConsumer) =>
      eventually(async () => {
        expect(await isReady(consumer)).toBe(true);
      }, PATIENCE);

    const rebuild = async (topic: TopicDefinition, options?: { acceptsOlder: boolean }) => {
      expect(await states().request([topic.name], options)).toEqual([topic.name]);
      return eventually(async () => {
        const [state] = await states().all();
        expect(state).toMatchObject({ requestedAt: null, startedAt: null });
        return state;
      }, PATIENCE);
    };

    const agreesWith = (source: SourceState) =>
      eventually(async () => {
        const kept = await dataSource().query(
          `SELECT thing_id, version, note FROM ${TABLE} ORDER BY thing_id COLLATE "C"`,
        );
        expect(kept).toEqual(source.rows());
      }, PATIENCE);

    const versionOf = async (key: string | undefined): Promise<number | undefined> => {
      const rows: { version: number }[] = await dataSource().query(
        `SELECT version FROM ${TABLE} WHERE thing_id = $1`,
        [key],
      );
      return rows[0]?.version;
    };

    /** Number of rows that no code of revision 2 wrote last. */
    const outdated = async (): Promise<number> => {
      const rows: RevisedProjection[] = await dataSource().query(
        `SELECT version, projected_version AS "projectedVersion",
           projected_revision AS "projectedRevision" FROM ${TABLE}`,
      );
      return rows.filter((row) => !isProjectedBy(row, 2)).length;
    };

    /** Corrupts the table: deletes, changes, future versions and invented rows. */
    const corrupt = async (source: SourceState, random: SeededRandom): Promise<void> => {
      const corrupted = random.shuffled(source.keys());
      const of = (from: number) => corrupted.slice(from, from + 20);
      await dataSource().query(`DELETE FROM ${TABLE} WHERE thing_id = ANY ($1)`, [of(0)]);
      await dataSource().query(`UPDATE ${TABLE} SET note = '"lost"' WHERE thing_id = ANY ($1)`, [
        of(20),
      ]);
      await dataSource().query(
        `UPDATE ${TABLE} SET version = 999, note = '"lost"' WHERE thing_id = ANY ($1)`,
        [of(40)],
      );
      await dataSource().query(
        `INSERT INTO ${TABLE} SELECT 'ghost-' || n, 7, '"ghost"' FROM generate_series(1, 20) AS n`,
      );
    };

    it(
      'rebuilds them beside live consumers, under a stream of updates, until every row matches the source',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic();
          const group = aGroup();
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(120);
          await source.change(400);
          const replicas = [
            await start({ group, ...projecting(topic) }),
            await start({ group, ...projecting(topic) }),
          ];
          for (const replica of replicas) await built(replica);
          await agreesWith(source);
          for (const statement of WATCH) await dataSource().query(statement);

          await corrupt(source, random);
          const stream = source.stream();
          const state = await rebuild(topic, { acceptsOlder: true });
          await stream.stop();
          await agreesWith(source);
          expect(state).toMatchObject({ failed: '0', builtAt: expect.any(Date) });
          expect(Number(state?.removed)).toBeGreaterThanOrEqual(20);
          expect(await count('contract_regressions')).toBe(0);
          // Checked all the time, since readers continue.
          for (const replica of replicas) expect(await isReady(replica)).toBe(true);
        }),
      TEST_MS,
    );

    it(
      'bootstraps an empty schema in one of several processes, also after the group has read everything',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic();
          const group = aGroup();
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(60);
          await source.change(100);
          const first = await start({ group, ...projecting(topic) });
          await agreesWith(source);
          await stop(first);
          await dataSource().query(`TRUNCATE ${TABLE}, projection_state`);

          const stream = source.stream();
          let reads = 0;
          const counted = (): Partial<ConsumerOptions> => {
            const inner = transport();
            return {
              transport: {
                ...bound(inner),
                read: (options) => {
                  reads += 1;
                  return inner.read(options);
                },
              },
            };
          };
          const replicas = [
            await start({ group, ...projecting(topic), ...counted() }),
            await start({ group, ...projecting(topic), ...counted() }),
          ];
          for (const replica of replicas) await built(replica);
          await stream.stop();
          await agreesWith(source);
          expect(reads).toBe(1);
        }),
      TEST_MS,
    );

    it(
      'builds them again after an upgrade, with the rows that an older replica wrote meanwhile',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic();
          const group = aGroup();
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(40);
          const older = await start({ group, ...projecting(topic) });
          await built(older);
          await agreesWith(source);
          expect(await outdated()).toBe(40);

          const revised: FactHandler = ({ subject, data: { version } }) =>
            upsertProjection(dataSource().manager, {
              ...{ table: TABLE, key: { thing_id: subject }, version, revision: 2 },
              columns: { note: { version } },
            });
          const stream = source.stream();
          const newer = await start({ group, ...projecting(topic, revised), revision: 2 });
          await built(newer);
          expect(await states().all()).toMatchObject([{ revision: 2 }]);
          await stream.stop();
          await agreesWith(source);
          await stop(older);

          // A row that only the older replica knows in its newest version, long after the build.
          await dataSource().query(
            `UPDATE ${TABLE} SET projected_version = version - 1 WHERE thing_id = $1`,
            [source.keys()[0]],
          );
          await dataSource().query(
            `UPDATE projection_state SET attempted_at = attempted_at - interval '1 hour'`,
          );
          await eventually(async () => expect(await outdated()).toBe(0), PATIENCE);
          await agreesWith(source);
          expect(await isReady(newer)).toBe(true);
        }),
      TEST_MS,
    );

    it(
      'restarts in another process when the building one is cut off',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic();
          const group = aGroup();
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(80);
          const doomedSource = await new DataSource(dataSource().options).initialize();
          let handled = 0;
          let free: () => void = () => undefined;
          const stuck = new Promise<void>((resolve) => (free = resolve));
          const doomed = await start({
            // A group of its own, so that its crash does not affect the live consumers.
            group: aGroup(),
            rebuildLeaseMs: LEASE_MS,
            dataSource: doomedSource,
            ...projecting(topic, async (event, inbox) => {
              handled += 1;
              if (handled > 40) await stuck;
              await keep(() => doomedSource)(event, inbox);
            }),
          });
          await eventually(async () => {
            expect(handled).toBeGreaterThan(40);
            expect(await states().all()).toMatchObject([{ builtAt: null, pass: 1 }]);
          });
          const survivor = await start({ group, rebuildLeaseMs: LEASE_MS, ...projecting(topic) });
          await eventually(async () => {
            expect(await isReady(survivor)).toBe(`projections are being built from ${topic.name}`);
          });
          await doomedSource.destroy();
          await built(survivor);
          await agreesWith(source);
          free();
          await stop(doomed);
        }),
      TEST_MS,
    );

    it(
      'retries an event that fails temporarily, and is not built before every event is applied',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic(1);
          const group = aGroup();
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(10);
          const [first] = source.keys();
          const before = await start({ group, ...projecting(topic) });
          await agreesWith(source);
          await stop(before);
          await dataSource().query(`TRUNCATE ${TABLE}, projection_state`);
          let failures = 6;
          const consumer = await start({
            group,
            ...projecting(topic, async (event, inbox) => {
              if (event.subject === first && failures > 0) {
                failures -= 1;
                throw new Error('crowded');
              }
              await keep(dataSource)(event, inbox);
            }),
          });
          await built(consumer);
          expect(failures).toBe(0);
          expect(await count('parked_events')).toBe(0);
          await agreesWith(source);
        }),
      TEST_MS,
    );

    it(
      'keeps rows that are newer than the topic, unless the operator accepts older versions',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic(1);
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(10);
          await built(await start(projecting(topic)));
          await agreesWith(source);
          const [newer] = source.keys();
          await dataSource().query(`UPDATE ${TABLE} SET version = 999 WHERE thing_id = $1`, [
            newer,
          ]);
          await dataSource().query(`INSERT INTO ${TABLE} VALUES ('ghost', 1, '"ghost"')`);

          expect(await rebuild(topic)).toMatchObject({ failed: '0', removed: '1', newer: '1' });
          expect(await versionOf(newer)).toBe(999);
          // The next rebuild finds it again: the consent of one request does not outlast it.
          const accepted = await rebuild(topic, { acceptsOlder: true });
          expect(accepted).toMatchObject({ failed: '0', removed: '0', newer: '0' });
          await agreesWith(source);
          await dataSource().query(`UPDATE ${TABLE} SET version = 999 WHERE thing_id = $1`, [
            newer,
          ]);
          expect(await rebuild(topic)).toMatchObject({ newer: '1' });
          expect(await versionOf(newer)).toBe(999);
        }),
      TEST_MS,
    );

    it(
      'keeps the row of an event that it cannot read, and counts that as failed',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic(1);
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(3);
          // As after compaction: the only record of its key is of a schema that this version does not know.
          const fact = { ...aFact(topic, 'later', 2), dataschema: `bascule:${topic.name}:2` };
          await transport().publish([asRecord(topic, fact)]);
          // It blocks no first build either: no attempt would ever read it.
          await built(await start(projecting(topic)));
          await agreesWith(source);
          await dataSource().query(`INSERT INTO ${TABLE} VALUES ('later', 1, '"kept"')`);
          await dataSource().query(`UPDATE ${TABLE} SET version = 999 WHERE thing_id = 'thing-0'`);
          for (const options of [undefined, { acceptsOlder: true }]) {
            expect(await rebuild(topic, options)).toMatchObject({ failed: '1', removed: '0' });
            expect(await versionOf('later')).toBe(1);
            // The event that could not be read might be the newest of this row.
            expect(await versionOf('thing-0')).toBe(999);
          }
        }),
      TEST_MS,
    );

    it(
      'removes no row when the topic is empty, as after its loss',
      async () => {
        const topic = aTopic(1);
        await createTopics([topic]);
        await built(await start(projecting(topic)));
        await dataSource().query(
          `INSERT INTO ${TABLE} VALUES ('kept', 1, '"kept"', now() - interval '1 hour')`,
        );
        expect(await rebuild(topic)).toMatchObject({ records: '0', removed: '0', newer: '1' });
        expect(await count(TABLE)).toBe(1);
      },
      TEST_MS,
    );

    it(
      'removes no row when the topic has lost most of its events, unless the operator accepts it',
      () =>
        withSeededRandom(async (random) => {
          const [before, recreated] = [aTopic(1), aTopic(1)];
          await createTopics([before, recreated]);
          const lost = new SourceState(before, transport(), random);
          await lost.create(30);
          const first = await start(projecting(before));
          await built(first);
          await agreesWith(lost);
          await stop(first);
          // The same projection, from a topic that has one event again.
          await dataSource().query('UPDATE projection_state SET topic = $1', [recreated.name]);
          await transport().publish([asRecord(recreated, aFact(recreated, 'thing-0', 1_000))]);
          const revised: FactHandler = ({ subject, data: { version } }) =>
            upsertProjection(dataSource().manager, {
              ...{ table: TABLE, key: { thing_id: subject }, version, revision: 2 },
              columns: { note: { version } },
            });
          await built(await start({ ...projecting(recreated, revised), revision: 2 }));
          // A new revision has started the rebuild.
          expect(await states().all()).toMatchObject([{ revision: 2, removed: '0', newer: '29' }]);
          expect(await rebuild(recreated)).toMatchObject({ removed: '0', newer: '29' });
          expect(await count(TABLE)).toBe(30);
          expect(await versionOf('thing-0')).toBe(1_000);
          const accepted = await rebuild(recreated, { acceptsOlder: true });
          expect(accepted).toMatchObject({ removed: '29', newer: '0' });
          expect(await count(TABLE)).toBe(1);
        }),
      TEST_MS,
    );

    it(
      'applies an event of a type that only newer versions know, live and in a rebuild, and counts it',
      async () => {
        const topic = aTopic(1);
        await createTopics([topic]);
        const consumer = await start(projecting(topic));
        await built(consumer);
        const exploded = { ...aFact(topic, 'key', 2), type: 'thing.exploded' };
        await transport().publish([
          asRecord(topic, aFact(topic, 'key', 1)),
          asRecord(topic, exploded),
        ]);
        await eventually(async () => {
          expect(await versionOf('key')).toBe(2);
        });
        expect(await count('parked_events')).toBe(0);
        expect(await consumer.context.metrics.metrics()).toContain(
          `messaging_events_total{topic="${topic.name}",outcome="unknown_type"} 1`,
        );
        await dataSource().query(`DELETE FROM ${TABLE}`);
        expect(await rebuild(topic)).toMatchObject({ failed: '0', removed: '0', newer: '0' });
        expect(await versionOf('key')).toBe(2);
      },
      TEST_MS,
    );

    it(
      'removes nothing when an event could not be applied, and reports it',
      () =>
        withSeededRandom(async (random) => {
          const topic = aTopic(1);
          await createTopics([topic]);
          const source = new SourceState(topic, transport(), random);
          await source.create(10);
          let broken: string | undefined;
          await start({
            ...projecting(topic, async (event, inbox) => {
              if (event.subject === broken) throw new Error('no such column');
              await keep(dataSource)(event, inbox);
            }),
          });
          await agreesWith(source);
          [broken] = source.keys();
          await dataSource().query(`INSERT INTO ${TABLE} VALUES ('ghost', 1, '"ghost"')`);
          // The earlier state is kept until an event replaces it.
          const state = await rebuild(topic);
          expect(Number(state?.failed)).toBeGreaterThan(0);
          expect(await count(TABLE)).toBe(11);
          broken = undefined;
          expect(await rebuild(topic)).toMatchObject({ failed: '0', removed: '1' });
          await agreesWith(source);
        }),
      TEST_MS,
    );
  });
}

/** Methods of a transport, to be replaced one by one. */
const bound = (transport: TransportOf): TransportOf => ({
  missingTopics: (topics) => transport.missingTopics(topics),
  publish: (records) => transport.publish(records),
  subscribe: (options) => transport.subscribe(options),
  read: (options) => transport.read(options),
  close: () => Promise.resolve(),
});
type TransportOf = ConsumerOptions['transport'];
