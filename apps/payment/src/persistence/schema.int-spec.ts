import { OPEN_PAYMENT_STATUSES } from '@bascule/contracts';
import { createDataSource, pendingSchemaChanges, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { EXPECTS_NATIVE, IS_OPEN } from './open-payments.js';
import { entities, migrations } from './persistence.config.js';

describe('the schema of payment', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    const options = { database: database.database, entities, migrations };
    await runMigrationsOf(options);
    dataSource = await createDataSource(options).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('matches the entities', async () => {
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
  });

  it('is migrated once', async () => {
    const again = { database: database.database, entities, migrations };
    expect(await runMigrationsOf(again)).toEqual([]);
  });

  it('indexes exactly the payments in open statuses', async () => {
    const [index]: { predicate: string }[] = await dataSource.query(
      `SELECT pg_get_expr(indpred, indrelid) AS predicate FROM pg_index
       WHERE indexrelid = 'payments_open_idx'::regclass`,
    );
    const statuses = [...(index?.predicate ?? '').matchAll(/'(\w+)'::text/g)].map(([, it]) => it);
    expect(statuses).toEqual(OPEN_PAYMENT_STATUSES);
  });

  it.each([
    [
      'payments_due_at_idx',
      'SELECT id FROM payments WHERE due_at <= now() ORDER BY due_at LIMIT 9',
    ],
    ['legs_due_at_idx', 'SELECT id FROM legs WHERE due_at <= now() ORDER BY due_at LIMIT 9'],
    [
      'legs_in_bridge_idx',
      `SELECT transfer->>'status', count(*) FROM legs
       WHERE transfer->>'status' IN ('OPEN', 'UNFILLED') GROUP BY 1`,
    ],
    [
      'checkouts_due_at_idx',
      `SELECT payment_id FROM checkouts WHERE provider <> 'swiftramp' AND due_at <= now()
       ORDER BY due_at LIMIT 9`,
    ],
    [
      'legs_bridge_due_at_idx',
      `SELECT id FROM legs WHERE bridge = 'escrow' AND due_at <= now() ORDER BY due_at LIMIT 9`,
    ],
    [
      'checkouts_provider_due_at_idx',
      `SELECT payment_id FROM checkouts WHERE provider = 'swiftramp' AND due_at <= now()
       ORDER BY due_at LIMIT 9`,
    ],
    [
      'payments_open_idx',
      `SELECT status, count(*), min(funded_in_full_at) FROM payments
       WHERE ${IS_OPEN} GROUP BY status`,
    ],
    [
      'withdrawals_landed_idx',
      `SELECT payment_id FROM withdrawals
       WHERE chain = 'alphanet' AND (landed->>'blockNumber')::bigint > 7`,
    ],
    [
      'sender_screenings_due_at_idx',
      'SELECT id FROM sender_screenings WHERE due_at <= now() ORDER BY due_at LIMIT 9',
    ],
    [
      'sender_screenings_payment_id_address_key',
      `SELECT address FROM sender_screenings
       WHERE payment_id = '0190b2c3-0000-7000-8000-000000000001' AND sanctioned`,
    ],
    [
      'payments_open_native_idx',
      `SELECT id FROM payments WHERE ${EXPECTS_NATIVE} AND plan #>> '{deposit,token}' = 'alphanet:0x'
         AND (initiate_fund_by, id) > (now(), '0190b2c3-0000-7000-8000-000000000001')
         AND initiate_fund_by < 'infinity'
       ORDER BY initiate_fund_by, id LIMIT 9`,
    ],
    [
      'set_aside_payments_due_at_idx',
      `SELECT id FROM set_aside_payments WHERE due_at <= now()
         AND (NOT is_unread AND holder IS NULL)
         AND NOT (chain = ANY ('{alphanet}')) ORDER BY due_at LIMIT 1`,
    ],
    [
      'set_aside_payments_turn_due_at_idx',
      `SELECT id FROM set_aside_payments WHERE due_at <= now()
         AND (NOT is_unread AND holder IS NOT NULL)
         AND NOT (holder = ANY ('{alphanet/1}')) ORDER BY due_at LIMIT 1`,
    ],
    [
      'set_aside_payments_unread_due_at_idx',
      `SELECT id FROM set_aside_payments WHERE due_at <= now() AND (is_unread)
         AND NOT (chain = ANY ('{alphanet}')) ORDER BY due_at LIMIT 1`,
    ],
    ['assets_listed_chain_idx', `SELECT id FROM assets WHERE chain = 'alphanet' AND listed`],
  ])('uses %s for its query', async (index, sql) => {
    const plan: Record<string, string>[] = await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return manager.query(`EXPLAIN ${sql}`);
    });
    expect(plan.map((row) => Object.values(row)[0]).join('\n')).toContain(index);
  });
});
