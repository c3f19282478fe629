import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import type { ServiceContext } from '@bascule/process';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { ORG_ID } from '../testing/a-quote.fixture.js';
import { planNodes } from '../testing/explained-plan.fixture.js';
import { insertUnfunded } from '../testing/unfunded-payments.fixture.js';
import { entities, migrations } from './persistence.config.js';
import {
  AMPLE_ROOM,
  UnfundedQuotaRepository,
  USAGE,
  VISITOR_USAGE,
} from './unfunded-quota.repository.js';

describe('reading the usage of a quota', () => {
  let database: ServiceDatabase;
  let admin: DataSource;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    await runMigrationsOf({ database: database.database, entities, migrations });
    admin = await new DataSource({
      type: 'postgres',
      url: database.adminUrl,
      extra: { options: '-c search_path=payment' },
    }).initialize();
  });
  afterAll(async () => {
    await admin.destroy();
    await database.drop();
  });

  it('reads as many index entries as the quota or share, among many payments', async () => {
    await insertUnfunded(admin, { orgId: ORG_ID, visitor: null, count: 3_000 });
    await insertUnfunded(admin, { orgId: ORG_ID, visitor: 'visitor', count: 500 });
    await insertUnfunded(admin, { orgId: ORG_ID, visitor: 'another', count: 500 });
    await insertUnfunded(admin, {
      orgId: ORG_ID,
      visitor: 'visitor',
      status: 'COMPLETE',
      funded: true,
      count: 10_000,
    });
    await admin.query('VACUUM ANALYZE payments');
    const scansOf = async (text: string, values: unknown[]) => {
      const nodes = await planNodes(admin, { text, values });
      return nodes.filter((node) => node['Index Name'] === 'payments_unfunded_idx');
    };
    const only = (rows: number) => [
      expect.objectContaining({ 'Node Type': 'Index Only Scan', 'Actual Rows': rows }),
    ];
    expect(await scansOf(USAGE, [ORG_ID, 100])).toEqual(only(100));
    expect(await scansOf(VISITOR_USAGE, [ORG_ID, 'visitor', 10])).toEqual(only(10));
  });

  it('counts the payments of publishable keys and of a visitor apart', async () => {
    const mixed = '0190b2c3-0000-7000-8000-0000000000fd';
    await insertUnfunded(admin, { orgId: mixed, visitor: null, count: 4 });
    await insertUnfunded(admin, { orgId: mixed, visitor: 'visitor', count: 3 });
    await insertUnfunded(admin, { orgId: mixed, visitor: 'another', count: 2 });
    await insertUnfunded(admin, { orgId: mixed, visitor: 'visitor', funded: true, count: 2 });
    expect(await admin.query(USAGE, [mixed, 100])).toMatchObject([{ used: 9, publishableUsed: 5 }]);
    expect(await admin.query(VISITOR_USAGE, [mixed, 'visitor', 100])).toMatchObject([{ used: 3 }]);
  });

  const quotaOf = (maxUnfundedPayments: number) =>
    new UnfundedQuotaRepository(admin, { maxUnfundedPayments }, {
      metrics: new Registry(),
    } as ServiceContext);

  it('never gives a visitor more than its share, also while the organisation has ample room', async () => {
    const busy = '0190b2c3-0000-7000-8000-0000000000fc';
    const holder = { orgId: busy, visitor: 'visitor' };
    await insertUnfunded(admin, { orgId: busy, visitor: 'visitor', count: 999 });
    const quota = quotaOf(10_000);
    expect(await quota.scarcityOf({ ...holder, visitor: null })).toBeNull();
    const scarcity = await quota.scarcityOf(holder);
    if (scarcity === null) throw new Error('expected a scarce share');
    expect(scarcity.ofOrganisation).toBe(false);
    const take = () =>
      admin.transaction(async (manager) => {
        await quota.take(manager, holder, scarcity);
        await insertUnfunded(manager, { orgId: busy, visitor: 'visitor', count: 1 });
      });
    const taken = await Promise.allSettled(Array.from({ length: 5 }, take));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(quota.check(holder)).rejects.toMatchObject({ code: 'rate_limited' });
    await quota.check({ ...holder, visitor: 'another' });
    await quota.check({ ...holder, visitor: null });
  });

  it('finds ample room only while more is left than a second can use up', async () => {
    const other = '0190b2c3-0000-7000-8000-0000000000fe';
    await insertUnfunded(admin, { orgId: other, visitor: null, count: 3 });
    const isAmple = async (maxUnfundedPayments: number) =>
      (await quotaOf(maxUnfundedPayments).scarcityOf({ orgId: other, visitor: null })) === null;
    expect(await isAmple(AMPLE_ROOM + 3)).toBe(false);
    expect(await isAmple(AMPLE_ROOM + 4)).toBe(true);
  });
});
