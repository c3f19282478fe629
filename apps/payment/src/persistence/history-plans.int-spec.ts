import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import { explainedPlan } from '../testing/explained-plan.fixture.js';
import type { ExplainedPlan } from '../testing/explained-plan.fixture.js';
import { LIST_ALL, LIST_HOLDING } from './owner-payments.repository.js';
import { historyStatement } from './payment-history.repository.js';
import type { HistoryFilter } from './payment-history.repository.js';
import { entities, migrations } from './persistence.config.js';

/** `npm run prove -- history` reads a million payments, the gate fewer. */
const isLong = process.env['PROVE_LONG'] === '1';
const PAYMENTS = isLong ? 1_000_000 : 20_000;
const TIMEOUT_MS = isLong ? 3_000_000 : 180_000;
const LIMIT = 26;

const ORG = 'org-large';
const BUSY = getAddress(`0x${'b'.repeat(40)}`);
const BUSY_TARGET = getAddress(`0x${'d'.repeat(40)}`);
const ABANDONER = `0x${'1'.repeat(40)}`;
const UNKNOWN = `0x${'9'.repeat(40)}`;

/**
 * One payment a second. The large organisation has nine of ten; in it, one owner, destination and label each have a
 * third, independently, and another owner only payments that expired unfunded.
 */
const FILL = `
  INSERT INTO payments (id, org_id, status, funded, version, created_at, updated_at,
    initiate_fund_by, declaration_expires_at, owner_chain, owner_address, destination_address,
    wallet_address, declaration, declaration_hash, plan, quoted, quote_request, current_prices,
    price_currency, decimals)
  SELECT
    overlay(overlay(md5(n::text) placing lpad(to_hex(1700000000000 + n * 1000::bigint), 12, '0')
      from 1 for 12) placing '7' from 13 for 1)::uuid,
    CASE WHEN n % 10 = 0 THEN 'org-' || n % 100 ELSE $2 END,
    CASE WHEN n % 4 = 0 OR n % 10 = 1 THEN 'EXPIRED' ELSE 'COMPLETE' END,
    n % 4 <> 0 AND n % 10 <> 1, 1, to_timestamp(1700000000 + n), now(), now(), now(), 'alphanet',
    CASE WHEN n % 10 = 1 THEN $5 WHEN n % 3 = 0 THEN $3 ELSE '0x' || lpad(n::text, 40, '0') END,
    CASE WHEN n % 7 < 2 THEN $4 ELSE '0x' || lpad(n::text, 40, '0') END,
    '', '{}', '', '{}', '{}',
    CASE WHEN n % 11 < 4 THEN '{"label": "common"}' WHEN n % 2 = 0 THEN '{}'
      ELSE json_build_object('label', 'order ' || n) END::jsonb,
    '{}', 'usd', '{}'
  FROM generate_series(1::bigint, $1) AS n`;

describe('the history of many payments', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    const options = { database: database.database, entities, migrations };
    await runMigrationsOf(options);
    dataSource = await createDataSource(options).initialize();
    // On a connection without the service's timeouts.
    await database.rows(FILL, [PAYMENTS, ORG, BUSY, BUSY_TARGET, ABANDONER]);
    await database.rows('VACUUM ANALYZE payments');
  }, TIMEOUT_MS);
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Explains the statement of one page. */
  async function read(filter: Partial<HistoryFilter>, depth = 0): Promise<ExplainedPlan> {
    const after = depth === 0 ? null : await positionAt(depth);
    const statement = historyStatement(
      { orgId: ORG, category: 'NEW_OR_FUNDED', ...filter },
      { limit: LIMIT, after },
    );
    return explainedPlan(dataSource, statement);
  }

  const positionAt = async (depth: number) => {
    const [row]: { id: string; created_at: Date }[] = await dataSource.query(
      `SELECT id, created_at FROM payments WHERE created_at <= to_timestamp($1) AND org_id = $2
       ORDER BY created_at DESC LIMIT 1`,
      [1_700_000_000 + PAYMENTS - depth, ORG],
    );
    if (row === undefined) throw new Error('expected a payment at this depth');
    return { paymentId: row.id, createdAt: row.created_at.toISOString() };
  };

  const SINGLE: [name: string, index: string, filter: Partial<HistoryFilter>][] = [
    ['no filter', 'payments_history_idx', {}],
    ['a busy owner', 'payments_owner_idx', { ownerAddress: BUSY }],
    ['a busy destination', 'payments_destination_idx', { destinationAddress: BUSY_TARGET }],
    ['a common label', 'payments_label_idx', { label: 'common' }],
  ];

  it.each(SINGLE)('reads a page with %s at every depth by its index', async (_, index, filter) => {
    for (const depth of [0, PAYMENTS / 2, PAYMENTS - 1_000]) {
      const newest = await read(filter, depth);
      expect(newest).toMatchObject({ found: LIMIT, touched: LIMIT, indexes: [index] });
      // A page of all merges two parts of the index.
      const all = await read({ ...filter, category: 'ALL' }, depth);
      expect(all).toMatchObject({ found: LIMIT, indexes: [index] });
      expect(all.touched).toBeLessThanOrEqual(2 * LIMIT);
    }
  });

  it.each([
    ['with money', LIST_HOLDING, 'payments_holding_funds_idx', 1],
    ['of any kind', LIST_ALL, 'payments_owner_idx', 2],
  ])(
    'reads a busy owner’s payments %s at every depth by their index',
    async (_, text, index, parts) => {
      for (const depth of [0, PAYMENTS / 2, PAYMENTS - 1_000]) {
        const { createdAt, paymentId } = await positionAt(depth);
        const values = [ORG, [BUSY], createdAt, paymentId, LIMIT, new Date()];
        const page = await explainedPlan(dataSource, { text, values });
        expect(page).toMatchObject({ found: LIMIT, indexes: [index] });
        expect(page.touched).toBeLessThanOrEqual(parts * LIMIT);
      }
    },
  );

  it.each([
    ['an owner without payments', { ownerAddress: UNKNOWN }],
    ['a destination without payments', { destinationAddress: UNKNOWN }],
    ['a label of no payment', { label: 'nothing' }],
    ['an id of no payment', { idQuery: 'ffffffff-ffff' }],
    ['an owner whose payments all expired unfunded', { ownerAddress: ABANDONER }],
    ['an organisation without payments', { orgId: 'org-none' }],
  ])('touches no payment for %s', async (_, filter) => {
    expect(await read(filter)).toMatchObject({ found: 0, touched: 0 });
  });

  it('touches the payments of a minute for the beginning of an id', async () => {
    const { paymentId } = await positionAt(PAYMENTS / 2);
    for (const filter of [{}, { ownerAddress: BUSY }, { label: 'common' }]) {
      const page = await read({ ...filter, category: 'ALL', idQuery: paymentId.slice(0, 8) });
      expect(page).toMatchObject({ indexes: ['payments_pkey'] });
      expect(page.found).toBeGreaterThan(0);
      // 65 payments in 2^16 ms, and each category looks at them.
      expect(page.touched).toBeLessThanOrEqual(2 * 66);
    }
    const whole = await read({ category: 'ALL', idQuery: paymentId });
    expect(whole).toMatchObject({ found: 1, indexes: ['payments_pkey'] });
  });

  it('uses the index of the rarest of several filters', async () => {
    const [rare]: { label: string; owner: string }[] = await dataSource.query(
      `SELECT quote_request->>'label' AS label, owner_address AS owner FROM payments
       WHERE org_id = $1 AND quote_request->>'label' LIKE 'order %' AND status = 'COMPLETE'
       AND owner_address <> $2 LIMIT 1`,
      [ORG, BUSY],
    );
    const { label = '', owner: ownerAddress = '' } = rare ?? {};
    const byLabel = await read({ label, destinationAddress: BUSY_TARGET, ownerAddress: BUSY });
    expect(byLabel).toMatchObject({ found: 0, indexes: ['payments_label_idx'] });
    expect(byLabel.touched).toBeLessThanOrEqual(1);
    const byOwner = await read({ ownerAddress, destinationAddress: BUSY_TARGET, label: 'common' });
    expect(byOwner).toMatchObject({ indexes: ['payments_owner_idx'] });
    expect(byOwner.touched).toBeLessThanOrEqual(1);
  });
});
