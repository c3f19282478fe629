import { messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { Lease } from '@bascule/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectionRebuild } from './projection-rebuild.js';
import { ProjectionStatesRepository } from './projection-states.repository.js';

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
    await states.begin(dataSource.manager, wide);
    await dataSource.query('UPDATE wide SET seen_at = clock_timestamp() WHERE id % 2 = 0');
    expect(await states.hasUnseen(wide)).toBe(true);
    expect(await dataSource.transaction((manager) => states.finish(manager, wide))).toBe(500);
    expect(await dataSource.query('SELECT count(*)::int AS n FROM wide')).toEqual([{ n: 500 }]);
    await states.begin(dataSource.manager, { ...wide, topic: 'nothing', tables: ['emptied'] });
    await dataSource.query(
      `CREATE TABLE emptied (id int, seen_at timestamptz NOT NULL DEFAULT now())`,
    );
    expect(await states.hasUnseen({ ...wide, topic: 'nothing', tables: ['emptied'] })).toBe(false);
  });
});
