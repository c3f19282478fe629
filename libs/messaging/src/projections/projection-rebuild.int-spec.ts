import { messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { Lease } from '@bascule/persistence';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { ProjectionRebuild } from './projection-rebuild.js';
import { besideTransactions, eventually } from '@bascule/testing';
import { ProjectionStatesRepository } from './projection-states.repository.js';
import { upsertProjection } from './upsert-projection.js';

const source = { topic: 'things', tables: ['things'], revision: 1 };

describe('ProjectionRebuild', () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await messagingFixture('rebuild_test');
    await fixture.dataSource.query(
      `CREATE TABLE things (id int, seen_at timestamptz NOT NULL DEFAULT now() - interval '1 hour')`,
    );
    await fixture.dataSource.query('INSERT INTO things VALUES (1)');
  });
  afterAll(() => fixture.close());

  it('writes nothing after it has lost the lease', async () => {
    const { dataSource, logger } = fixture;
    const states = new ProjectionStatesRepository(dataSource);
    const leaseOf = (holder: string) =>
      new Lease({ dataSource, name: 'projections', holder, ttlMs: 60_000 });
    const [lease, successor] = [leaseOf('first'), leaseOf('second')];
    const held = await lease.acquire();
    if (held === null) throw new Error('lease not acquired');
    const rebuild = new ProjectionRebuild({
      dataSource,
      states,
      lease,
      logger,
      apply: () => Promise.resolve(),
      concurrency: 1,
      windowSize: 1,
      transport: {
        // Rebuild of an empty topic that takes longer than the lease.
        read: async () => {
          await dataSource.query('UPDATE leases SET expires_at = now()');
          expect(await successor.acquire()).not.toBeNull();
          await states.begin(dataSource.manager, source);
        },
      },
    });
    const run = rebuild.run(source, held, new AbortController().signal);
    await expect(run).rejects.toThrow('the lease projections has another holder');
    const [state] = await dataSource.query(
      'SELECT pass, distrusted_before, started_at IS NOT NULL AS started FROM projection_state',
    );
    expect(state).toEqual({ pass: 1, distrusted_before: null, started: true });
    expect(await dataSource.query('SELECT id FROM things')).toEqual([{ id: 1 }]);
  });

  it('removes unconfirmed rows from every part of a table', async () => {
    const { dataSource } = fixture;
    await dataSource.query(
      `CREATE TABLE wide (id int, filler text,
         seen_at timestamptz NOT NULL DEFAULT now() - interval '1 hour')`,
    );
    await dataSource.query(
      `INSERT INTO wide SELECT n, repeat('x', 1000) FROM generate_series(1, 1000) AS n`,
    );
    const states = new ProjectionStatesRepository(dataSource, 7);
    const wide = { ...source, topic: 'wide', tables: ['wide'] };
    const { tables } = await states.begin(dataSource.manager, wide);
    await dataSource.query('UPDATE wide SET seen_at = clock_timestamp() WHERE id % 2 = 0');
    expect(await states.countUnseen('wide', tables)).toBe(500);
    const remove = () =>
      dataSource.transaction((manager) => states.removeUnseen(manager, 'wide', tables));
    expect(await remove()).toBe(500);
    expect(await dataSource.query('SELECT count(*)::int AS n FROM wide')).toEqual([{ n: 500 }]);
    await states.begin(dataSource.manager, { topic: 'nothing', tables: ['emptied'] });
    await dataSource.query(
      `CREATE TABLE emptied (id int, seen_at timestamptz NOT NULL DEFAULT now())`,
    );
    expect(await states.countUnseen('nothing', ['emptied'])).toBe(0);
  });

  describe('a row', () => {
    const things = { topic: 'rows', tables: ['rows'], revision: 1 };
    const apply = (manager: EntityManager, id: number, version: number) =>
      upsertProjection(manager, { table: 'rows', key: { id }, version, columns: {} });
    const states = () => new ProjectionStatesRepository(fixture.dataSource);
    const unseen = () => states().countUnseen('rows', ['rows']);

    beforeAll(() =>
      fixture.dataSource.query(
        `CREATE TABLE rows (id int PRIMARY KEY, version int NOT NULL,
           seen_at timestamptz NOT NULL DEFAULT now() - interval '1 hour')`,
      ),
    );
    beforeEach(async () => {
      await fixture.dataSource.query('TRUNCATE rows, projection_state');
      await fixture.dataSource.query('INSERT INTO rows VALUES (1, 1), (2, 5)');
    });

    it('is confirmed although the database’s clock went back after the build began', async () => {
      const { dataSource } = fixture;
      await states().begin(dataSource.manager, things);
      await dataSource.query(
        `UPDATE projection_state SET started_at = started_at + interval '1 hour'`,
      );
      await apply(dataSource.manager, 1, 1);
      expect(await unseen()).toBe(1);
      // Also in the second pass, where its version is newer than the topic.
      await states().confirmUnseen(dataSource.manager, 'rows');
      await apply(dataSource.manager, 2, 4);
      expect(await unseen()).toBe(0);
      expect(await dataSource.query('SELECT version FROM rows WHERE id = 2')).toEqual([
        { version: 5 },
      ]);
    });

    it('stays confirmed when a live event that began before the build is written after it', async () => {
      const { dataSource } = fixture;
      let live: Promise<void> = Promise.resolve();
      await dataSource.transaction(async (manager) => {
        await manager.query('SELECT 1 FROM rows WHERE id = 1 FOR UPDATE');
        live = besideTransactions(() => apply(dataSource.manager, 1, 1));
        await eventually(async () => {
          expect(
            await besideTransactions(() =>
              dataSource.query(
                `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"rows" AS kept%'`,
              ),
            ),
          ).toHaveLength(1);
        });
        await besideTransactions(() => states().begin(dataSource.manager, things));
        await apply(manager, 1, 1);
      });
      await live;
      expect(await unseen()).toBe(1);
    });

    it('stays in a table that no build has filled yet', async () => {
      const { manager } = fixture.dataSource;
      await states().begin(manager, { topic: 'rows', tables: ['others'] });
      await states().finish(manager, { ...things, tables: ['others'] }, { removed: 0, newer: 0 });
      expect(await states().begin(manager, things)).toEqual({ tables: [], acceptsOlder: false });
    });
  });
});
