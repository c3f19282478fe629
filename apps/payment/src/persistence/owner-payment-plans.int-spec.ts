import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import { explainedPlan } from '../testing/explained-plan.fixture.js';
import { LIST_ALL, LIST_HOLDING } from './owner-payments.repository.js';
import { entities, migrations } from './persistence.config.js';

const ORG = 'org-large';
const OWNER = getAddress(`0x${'b'.repeat(40)}`);
const UNKNOWN = getAddress(`0x${'9'.repeat(40)}`);
const OF_OWNER = 10_000;
const LIMIT = 500;

/**
 * One payment a second, every third of the owner. Of its own every fourth holds money, two of four were paid out or
 * expired unfunded, and one still waits for funds.
 */
const FILL = `
  INSERT INTO payments (id, org_id, status, funded, holds_funds, version, created_at, updated_at,
    initiate_fund_by, declaration_expires_at, owner_chain, owner_address, destination_address,
    wallet_address, declaration, declaration_hash, plan, quoted, quote_request, current_prices,
    price_currency, decimals)
  SELECT gen_random_uuid(), $2, (ARRAY['EXPIRED', 'COMPLETE', 'EXPIRED', 'PENDING'])[1 + n / 3 % 4],
    n / 3 % 4 < 2, n / 3 % 4 = 0, 1, to_timestamp(1700000000 + n), now(), now(), now(), 'alphanet',
    CASE WHEN n % 3 = 0 THEN $3 ELSE '0x' || lpad(n::text, 40, '0') END, '', '', '{}', '', '{}',
    '{}', '{}', '{}', 'usd', '{}'
  FROM generate_series(0, 3 * $1::bigint - 1) AS n`;

describe('the list of an owner of 10,000 payments', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    const options = { database: database.database, entities, migrations };
    await runMigrationsOf(options);
    dataSource = await createDataSource(options).initialize();
    // On a connection without the service's timeouts.
    await database.rows(FILL, [OF_OWNER, ORG, OWNER]);
    await database.rows('VACUUM ANALYZE payments');
  }, 180_000);
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const explain = (text: string, after: Date | 'infinity', owner = OWNER) =>
    explainedPlan(dataSource, {
      text,
      values: [ORG, [owner], after, 'ffffffff-ffff-ffff-ffff-ffffffffffff', LIMIT, new Date()],
    });
  const depths = ['infinity' as const, ...[20_000, 5_000].map((n) => new Date(1.7e12 + n * 1_000))];

  it('reads a page of those that hold money at every depth by its index', async () => {
    for (const after of depths) {
      const { found, touched, indexes } = await explain(LIST_HOLDING, after);
      expect(indexes).toEqual(['payments_holding_funds_idx']);
      expect(touched).toBe(found);
      expect(found).toBe(after === depths[2] ? 417 : LIMIT);
    }
  });

  it('reads a page of all at every depth by its index', async () => {
    for (const after of depths) {
      const { found, touched, indexes } = await explain(LIST_ALL, after);
      expect(indexes).toEqual(['payments_owner_idx']);
      expect(found).toBe(LIMIT);
      // A page of all merges two parts of the index.
      expect(touched).toBeLessThanOrEqual(2 * LIMIT);
    }
  });

  it('touches no payment of another owner', async () => {
    for (const statement of [LIST_HOLDING, LIST_ALL]) {
      expect(await explain(statement, 'infinity', UNKNOWN)).toMatchObject({ found: 0, touched: 0 });
    }
  });
});
