import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import { loadSecrets, type StackFile } from '@bascule/composition';
import { StackProcess } from '../testing/stack-process.fixture.js';

/** Queries of a projection, beside the owner's. Prices are observed more often than they are published. */
const PAIRS = {
  quote: [
    [
      'SELECT id, asset, listed, version FROM catalogue.assets',
      'SELECT id, asset, listed, version FROM quote.catalogue_assets',
    ],
    ['SELECT asset, version FROM catalogue.prices', 'SELECT asset, version FROM quote.prices'],
    [
      'SELECT id, version, opened_edges[1] FROM gateway.organisations WHERE version > 0',
      'SELECT id, version, opened_edges->>0 FROM quote.organisations',
    ],
    [
      'SELECT id, version, prohibited, methods FROM gateway.country_rules',
      'SELECT id, version, prohibited, methods FROM quote.country_rules',
    ],
    [
      'SELECT id, version, paused FROM gateway.switches',
      'SELECT id, version, paused FROM quote.switches',
    ],
    [
      'SELECT chain, venue, version, conversions, measured_at FROM payment.venue_ratings',
      'SELECT chain, venue, version, conversions, measured_at FROM quote.venue_ratings',
    ],
    [
      'SELECT id, org_id, status, lower(wallet_address) AS wallet, version FROM payment.payments',
      'SELECT id, org_id, status, wallet_address AS wallet, version FROM quote.payments',
    ],
  ],
  payment: [
    [
      'SELECT id, asset, listed, version::bigint FROM catalogue.assets',
      'SELECT id, asset, listed, version FROM payment.assets',
    ],
    [
      'SELECT asset, version::bigint FROM catalogue.prices',
      'SELECT asset, version FROM payment.prices',
    ],
    [
      `SELECT id, version, redirect_origins[1] FROM gateway.organisations WHERE version > 0`,
      'SELECT id, version, redirect_origins->>0 FROM payment.organisations',
    ],
    [
      'SELECT id, version, prohibited, methods FROM gateway.country_rules',
      'SELECT id, version, prohibited, methods FROM payment.country_rules',
    ],
    [
      'SELECT id, version, paused FROM gateway.switches',
      'SELECT id, version, paused FROM payment.switches',
    ],
  ],
  withdrawal: [
    [
      `SELECT lower(id), asset->>'chain', asset->>'symbol', listed, version FROM catalogue.assets
       WHERE asset ? 'is_native'`,
      'SELECT id, chain, symbol, listed, version FROM withdrawal.assets',
    ],
    [
      'SELECT lower(asset), version::bigint FROM catalogue.prices',
      'SELECT asset, version FROM withdrawal.prices',
    ],
    [
      'SELECT id, org_id, status, senders, version FROM payment.payments',
      'SELECT id, org_id, status, senders, version FROM withdrawal.payments',
    ],
    [
      `SELECT id, version, (quotas->>'unsigned_withdrawals')::int
       FROM gateway.organisations WHERE version > 0`,
      'SELECT id, version, max_unsigned_withdrawals FROM withdrawal.organisations',
    ],
  ],
} as const;
type Service = keyof typeof PAIRS;
const SERVICES = ['quote', 'payment', 'withdrawal'] as const;

/** Missing rows, wrong rows, rows ahead of the owner's, and rows that the owner never had. */
const DAMAGE: Record<Service, string[]> = {
  quote: [
    `DELETE FROM quote.catalogue_assets WHERE id LIKE 'alphanet:%'`,
    `UPDATE quote.catalogue_assets SET listed = false, version = version + 1000 WHERE id LIKE 'betanet:%'`,
    `INSERT INTO quote.prices (asset, usd, observed_at, version) VALUES ('ghost', 1, now(), 1)`,
    `UPDATE quote.organisations SET opened_edges = '[]', version = version + 1000`,
    `UPDATE quote.country_rules SET prohibited = '[]', version = version + 1000`,
    `UPDATE quote.switches SET paused = '[]', version = version + 1000`,
    `UPDATE quote.venue_ratings SET conversions = 0, version = version + 1000`,
    `INSERT INTO quote.venue_ratings (chain, venue, version, conversions, shortfall_ppm, measured_at) VALUES ('alphanet', 'ghost', 1, 9, 9, now())`,
    `DELETE FROM quote.payments WHERE id IN (SELECT id FROM quote.payments ORDER BY id LIMIT 1)`,
    `UPDATE quote.payments SET status = 'TAINTED', version = version + 1000`,
    `UPDATE quote.prices SET usd = 0.01, version = version + 1000 WHERE asset LIKE 'alphanet:%'`,
  ],
  payment: [
    `UPDATE payment.assets SET decimals = 1, asset = '{}'`,
    `INSERT INTO payment.assets (id, decimals, asset, listed, version) VALUES ('ghost', 1, '{}', true, 1)`,
    'DELETE FROM payment.prices',
    `UPDATE payment.organisations SET redirect_origins = '["https://ghost.example"]'`,
    'DELETE FROM payment.country_rules',
    'DELETE FROM payment.switches',
  ],
  withdrawal: [
    `DELETE FROM withdrawal.payments WHERE id IN (SELECT id FROM withdrawal.payments ORDER BY id LIMIT 1)`,
    `UPDATE withdrawal.payments SET status = 'COMPLETE', senders = 'TAINTED', version = version + 1000`,
    `UPDATE withdrawal.assets SET chain = 'elsewhere'`,
    `UPDATE withdrawal.organisations SET max_unsigned_withdrawals = 1, version = version + 1000`,
    `INSERT INTO withdrawal.prices (asset, usd, observed_at, version) VALUES ('ghost', '1', now(), 1)`,
  ],
};

let stack: StackProcess;
let file: StackFile;
let database: Client | undefined;

const connect = async (): Promise<Client> => {
  const { postgresPassword } = loadSecrets(join(stack.directory, 'secrets.json'));
  const client = new Client({
    connectionString: `postgres://postgres:${postgresPassword}@127.0.0.1:${stack.ports.POSTGRES_PORT}/postgres`,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const query = async (sql: string): Promise<unknown[]> => {
  database ??= await connect();
  const { rows } = await database.query<object>(sql);
  return rows;
};

/** The operator's command line, with traffic going on meanwhile. */
const operate = promisify(execFile);
const rebuild = (service: Service) =>
  operate(
    process.execPath,
    [
      join(import.meta.dirname, '../../tools/operator.mjs'),
      ...['projections', 'rebuild', '--service', service, '--accept-older-versions'],
    ],
    { env: { PATH: process.env.PATH, ...stack.environment } },
  );

const confirmPayment = () => {
  const chain = new Chain(file, 'alphanet');
  const { owner, destination } = newTestUser();
  return quoteAndConfirm(new Api(file.base_url, file.keys.secret), {
    input: { asset: chain.token('USDC'), amount: '25' },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  });
};

/** Completes a payment with a conversion, which rates its venue. */
async function completePayment(): Promise<void> {
  const chain = new Chain(file, 'alphanet');
  const usdc = chain.token('USDC');
  const { quote, depositAddress } = await confirmPayment();
  await chain.transfer(chain.faucet, usdc, depositAddress, await chain.units(usdc, '25'));
  await reaches(new Api(file.base_url, file.keys.secret), quote.payment_id, 'COMPLETE');
}

const agrees = (service: Service) =>
  eventually(
    async () => {
      for (const [owners, kept] of PAIRS[service]) {
        expect(await query(kept)).not.toEqual([]);
        const differing = `(${owners} EXCEPT ${kept}) UNION ALL (${kept} EXCEPT ${owners})`;
        expect(await query(differing)).toEqual([]);
      }
    },
    { timeoutMs: 60_000 },
  );

describe('projections', () => {
  beforeAll(async () => {
    stack = await StackProcess.create('projections');
    file = await stack.start();
    const ours = ['--organisation', file.organisation_id];
    await stack.operator('edges', 'open', ...ours, '--edge', 'sepa-test');
    await stack.operator('redirect-origins', 'add', ...ours, '--origin', 'https://shop.example');
    await stack.operator('quotas', 'set', ...ours, '--unsigned-withdrawals', '700');
    await stack.operator('countries', 'prohibit', '--places', 'ATA');
    await stack.operator('pause', 'chain', 'betanet', '--reason', 'test');
    for (let n = 0; n < 3; n += 1) await confirmPayment();
    await completePayment();
    for (const service of SERVICES) await agrees(service);
  });
  afterAll(async () => {
    await database?.end();
    await stack.dispose();
  });

  it.each(SERVICES)(
    'match the owner row by row after a rebuild in %s under traffic',
    async (service) => {
      for (const statement of DAMAGE[service]) await query(statement);
      let isOver = false;
      const traffic = (async () => {
        while (!isOver) {
          // A quote may fail while its projections are wrong.
          await confirmPayment().catch(() => undefined);
        }
      })();
      const { stdout, stderr } = await rebuild(service).finally(() => (isOver = true));
      await traffic;
      expect(stderr).toContain(': built');
      const lines = stdout.trim().split('\n');
      expect(lines).toHaveLength(PAIRS[service].length);
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ failed: '0' });
      await agrees(service);
    },
  );

  it('are rebuilt after a start with an empty schema', async () => {
    await stack.stop('SIGKILL');
    await query(
      'TRUNCATE quote.catalogue_assets, quote.prices, quote.organisations, quote.payments, quote.country_rules, quote.switches, quote.venue_ratings, quote.projection_state',
    );
    await query(
      'TRUNCATE payment.assets, payment.prices, payment.organisations, payment.country_rules, payment.switches, payment.projection_state',
    );
    await query(
      'TRUNCATE withdrawal.payments, withdrawal.assets, withdrawal.prices, withdrawal.organisations, withdrawal.projection_state',
    );
    file = await stack.start();
    // Ready means built: nothing has to be waited for.
    for (const service of SERVICES) {
      for (const [, kept] of PAIRS[service]) expect(await query(kept)).not.toEqual([]);
      await agrees(service);
    }
    await confirmPayment();
  });
});
