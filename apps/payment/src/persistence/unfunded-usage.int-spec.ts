import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import type { ServiceContext } from '@bascule/process';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { ORG_ID } from '../testing/a-quote.fixture.js';
import { entities, migrations } from './persistence.config.js';
import { AMPLE_ROOM, UnfundedQuotaRepository, USAGE } from './unfunded-quota.repository.js';

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];

const INSERT = `
  INSERT INTO payments (id, org_id, status, funded, version, created_at, updated_at,
    initiate_fund_by, declaration_expires_at, owner_chain, owner_address, destination_address,
    wallet_address, declaration, declaration_hash, plan, quoted, quote_request, current_prices,
    price_currency, decimals)
  SELECT gen_random_uuid(), $1, $2, $3, 1, now(), now(),
    now() + each * interval '1 second', now(), 'alphanet', '0x1', '0x2',
    each::text, '{}', '0x', '{}', '{}', '{}', '{}', 'usd', '{}'
  FROM generate_series(1, $4::int) AS each`;

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

  it('reads as many index entries as the quota, among many payments', async () => {
    await admin.query(INSERT, [ORG_ID, 'PENDING', false, 3_000]);
    await admin.query(INSERT, [ORG_ID, 'COMPLETE', true, 10_000]);
    await admin.query('VACUUM ANALYZE payments');
    const [answer]: { 'QUERY PLAN': { Plan: Plan }[] }[] = await admin.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${USAGE}`,
      [ORG_ID, 100],
    );
    const plans = answer?.['QUERY PLAN'].flatMap(({ Plan }) => flat(Plan)) ?? [];
    const scans = plans.filter((plan) => plan['Index Name'] === 'payments_unfunded_idx');
    expect(scans).toEqual([
      expect.objectContaining({ 'Node Type': 'Index Only Scan', 'Actual Rows': 100 }),
    ]);
  });

  it('finds ample room only while more is left than a second can use up', async () => {
    const other = '0190b2c3-0000-7000-8000-0000000000fe';
    await admin.query(INSERT, [other, 'PENDING', false, 3]);
    const isAmple = (maxUnfundedPayments: number) => {
      const context = { metrics: new Registry() } as ServiceContext;
      const quota = new UnfundedQuotaRepository(admin, { maxUnfundedPayments }, context);
      return quota.hasAmpleRoom(other);
    };
    expect(await isAmple(AMPLE_ROOM + 3)).toBe(false);
    expect(await isAmple(AMPLE_ROOM + 4)).toBe(true);
  });
});
