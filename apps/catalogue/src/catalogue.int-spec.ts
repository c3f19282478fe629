import type { Permission } from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { startService, type RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { createDataSource, pendingSchemaChanges } from '@bascule/persistence';
import { developmentAddresses, priceFeedAbi } from '@bascule/solidity';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startTestChain,
  type ServiceDatabase,
  type TestChain,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseCatalogueConfig } from './config/catalogue.config.js';
import { catalogueService } from './index.js';
import { entities, migrations } from './persistence/persistence.config.js';

const WETH = `alphanet:${developmentAddresses.weth.toLowerCase()}`;
const USDC = `alphanet:${developmentAddresses.usdc.toLowerCase()}`;
const tokens = internalTokens();

interface PublishedEvent {
  type: string;
  subject: string;
  data: { version: number; usd?: string };
}

describe('the catalogue service', () => {
  let chain: TestChain;
  let database: ServiceDatabase;
  let admin: DataSource;
  let service: RunningService;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    [chain, database] = await Promise.all([startTestChain(), createServiceDatabase('catalogue')]);
    admin = await new DataSource({ type: 'postgres', url: database.adminUrl }).initialize();
    env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: 'alphanet,betanet',
      RPC_URLS_ALPHANET: chain.rpcUrl,
      // Closed port: one unreachable chain must not affect the other.
      RPC_URLS_BETANET: 'http://127.0.0.1:9',
      PRICE_INTERVAL_MS: '200',
      FIAT_RATES: '{"eur":"1.25"}',
    };
    await catalogueService.migrate?.(parseCatalogueConfig(env));
    service = await startService(catalogueService, env);
  });
  afterAll(async () => {
    await service.shutdown({ graceMs: 0 });
    await admin.destroy();
    await Promise.all([chain.stop(), database.drop()]);
  });

  async function request(
    path: string,
    o: { permissions?: Permission[]; body?: unknown } = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const token = await tokens.token({ permissions: o.permissions ?? ['assets'] });
    const response = await fetch(`${service.url}${path}`, {
      method: o.body === undefined ? 'GET' : 'POST',
      headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json' },
      ...(o.body === undefined ? {} : { body: JSON.stringify(o.body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const prices = (fiat: string, ...assets: string[]) =>
    request('/prices', { body: { fiat, tokens: assets } });

  async function published(topic: string): Promise<PublishedEvent[]> {
    const rows: { value: Buffer }[] = await admin.query(
      `SELECT value FROM event_log.records WHERE topic = $1 ORDER BY published_at, "offset"`,
      [topic],
    );
    return rows.map(({ value }) => JSON.parse(value.toString('utf8')) as PublishedEvent);
  }

  it('lists fiat and the tokens of every chain', async () => {
    const { status, body } = await request('/assets');
    expect(status).toBe(200);
    expect(body['usd']).toMatchObject({ symbol: 'USD', decimals: 2, sign: '$' });
    expect(body['alphanet:0x']).toMatchObject({
      symbol: 'ETH',
      is_native: true,
      address: '0x',
      wrapper: 'WETH',
    });
    expect(body[WETH]).toMatchObject({ chain: 'alphanet', symbol: 'WETH' });
    expect(Object.keys(body)).toContain(USDC.replace('alphanet', 'betanet'));
  });

  it('filters assets case-insensitively', async () => {
    const filter = `assets[]=EUR&assets[]=alphanet:${developmentAddresses.usdc}`;
    const { body } = await request(`/assets?${filter}`);
    expect(Object.keys(body).sort()).toEqual([USDC, 'eur']);
    const { body: live } = await request('/assets?sandbox=false');
    expect(Object.keys(live).filter((id) => id.includes(':'))).toEqual([]);
  });

  it('reports every malformed or unknown asset of a filter with all other errors', async () => {
    const ids = ['usd', 'dollars', 'alphanet:0x12', 'nowhere:0x', 'xyz', 'ALPHANET:0X'];
    const filter = ids.map((id) => `assets[]=${id}`).join('&');
    const { status, body } = await request(`/assets?${filter}&sandbox=perhaps`);
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      expect.objectContaining({ code: 'invalid_union', path: ['assets', 1] }),
      expect.objectContaining({ code: 'invalid_union', path: ['assets', 2] }),
      expect.objectContaining({ code: 'invalid_union', path: ['assets', 5] }),
      expect.objectContaining({ path: ['sandbox'] }),
      { code: 'custom', path: ['assets', 3], message: 'Unknown asset nowhere:0x.' },
      { code: 'custom', path: ['assets', 4], message: 'Unknown asset xyz.' },
    ]);
    expect((await request('/assets?assets[]=')).status).toBe(400);
  });

  it('responds from memory, and with 304 to a matching ETag', async () => {
    const token = await tokens.token({ permissions: ['assets'] });
    const ask = (path: string, etag = '') =>
      fetch(`${service.url}${path}`, {
        headers: { [INTERNAL_TOKEN_HEADER]: token, 'if-none-match': etag },
      });
    for (const path of ['/assets?sandbox=true', '/chains']) {
      const first = await ask(path);
      expect(first.headers.get('cache-control')).toContain('private');
      const again = await ask(path, first.headers.get('etag') ?? '');
      expect([first.status, again.status]).toEqual([200, 304]);
    }
    const dataSource = service.app.get(DataSource);
    await dataSource.query('ALTER TABLE assets RENAME TO assets_away');
    try {
      expect(Object.keys((await request('/assets?assets[]=usd&assets[]=jpy')).body)).toEqual([
        'jpy',
        'usd',
      ]);
    } finally {
      await dataSource.query('ALTER TABLE assets_away RENAME TO assets');
    }
  });

  it('lists chains with their public RPC URL only', async () => {
    const { body } = await request('/chains?sandbox=1');
    expect(Object.keys(body)).toEqual(['alphanet', 'betanet']);
    expect(body['alphanet']).toMatchObject({
      chain_id: { '#': '31337' },
      address_family: 'EVM',
      is_testnet: true,
      rpc: 'http://127.0.0.1:8545',
    });
    expect((await request('/chains?sandbox=false')).body).toEqual({});
  });

  it('prices tokens by the price feeds of their chain', async () => {
    await eventually(async () => {
      const { status, body } = await prices(
        'USD',
        'alphanet:0x',
        `alphanet:${developmentAddresses.weth}`,
      );
      expect(status).toBe(200);
      expect(body).toEqual({ usd: '1.0', 'alphanet:0x': body[WETH], [WETH]: expect.any(String) });
    });
    const { body: euros } = await prices('eur', USDC);
    expect(euros).toMatchObject({ eur: '1.0', usd: '0.8' });
    expect(Number(euros[USDC])).toBeCloseTo(0.8, 1);
  });

  it('leaves out the tokens of an unreachable chain', async () => {
    const { body } = await prices('usd', 'betanet:0x', `alphanet:0x${'1'.repeat(40)}`);
    expect(body).toEqual({ usd: '1.0' });
  });

  it('leaves out stale prices', async () => {
    const config = { ...env, PRICE_MAX_AGE_MS: '600000', PRICE_INTERVAL_MS: '3600000' };
    const stale = await startService(catalogueService, config);
    try {
      const token = await tokens.token({ permissions: ['assets'] });
      const ask = async (fiat: string): Promise<unknown> => {
        const response = await fetch(`${stale.url}/prices`, {
          method: 'POST',
          headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json' },
          body: JSON.stringify({ fiat, tokens: [USDC] }),
        });
        return response.json();
      };
      await service.shutdown({ graceMs: 0 });
      expect(await ask('usd')).toHaveProperty([USDC]);
      await eventually(async () => {
        // Repeated: an observation may still have been in flight.
        await admin.query(`UPDATE catalogue.prices SET observed_at = now() - interval '1 h'`);
        expect(await ask('usd')).toEqual({ usd: '1.0' });
        expect(await ask('eur')).toMatchObject({ errors: [{ kind: 'unknown' }] });
      });
      await admin.query(`UPDATE catalogue.prices SET observed_at = now() WHERE asset = 'eur'`);
      await eventually(async () => {
        expect(await ask('eur')).toEqual({ eur: '1.0', usd: '0.8' });
      });
    } finally {
      await stale.shutdown({ graceMs: 0 });
      service = await startService(catalogueService, env);
    }
  });

  it('reports every problem of a price request', async () => {
    const { status, body } = await request('/prices', {
      body: { fiat: 'dollars', tokens: ['nowhere:0x', 'alphanet:0x12', 'alphanet:0x', 7] },
    });
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      expect.objectContaining({ code: 'invalid_format', path: ['fiat'] }),
      expect.objectContaining({ code: 'invalid_format', path: ['tokens', 1] }),
      expect.objectContaining({ code: 'invalid_type', expected: 'string', path: ['tokens', 3] }),
      { code: 'custom', path: ['tokens', 0], message: 'Unknown chain nowhere.' },
    ]);
    expect((await request('/prices', { body: {} })).status).toBe(400);
  });

  it.each(['/assets', '/chains'])('requires the permission for %s', async (path) => {
    expect((await request(path, { permissions: ['quotes'] })).status).toBe(403);
    expect((await fetch(`${service.url}${path}`)).status).toBe(401);
  });

  it('publishes its listing once, and a change as the next version', async () => {
    const before = await eventually(async () => {
      const events = await published('bascule.catalogue');
      expect(events.map(({ subject }) => subject)).toContain(WETH);
      return events;
    });
    expect(before.filter(({ subject }) => subject === WETH)).toHaveLength(1);
    await service.shutdown({ graceMs: 0 });
    await admin.query(`UPDATE catalogue.assets SET asset = '{}' WHERE id = $1`, [WETH]);
    service = await startService(catalogueService, env);
    await eventually(async () => {
      const events = await published('bascule.catalogue');
      expect(events).toHaveLength(before.length + 1);
      expect(events.at(-1)).toMatchObject({
        type: 'asset.listed',
        subject: WETH,
        data: { version: 2, listed: true },
      });
    });
  });

  it('publishes a price when its feed moves', async () => {
    const deployer = createWalletClient({
      account: privateKeyToAccount(developmentAccounts[1].privateKey),
      transport: http(chain.rpcUrl),
    });
    await deployer.writeContract({
      chain: null,
      address: developmentAddresses.priceFeeds.ethUsd,
      abi: priceFeedAbi,
      functionName: 'setAnswer',
      args: [432_100_000_000n],
    });
    await eventually(async () => {
      expect((await prices('usd', WETH)).body).toMatchObject({ [WETH]: '4321' });
      const events = await published('bascule.price');
      const [last, first] = events.filter(({ subject }) => subject === WETH).reverse();
      expect(last).toMatchObject({ type: 'price.observed', data: { usd: '4321', asset: WETH } });
      expect(last?.data.version).toBe((first?.data.version ?? 0) + 1);
    });
  });

  it('reports the age of prices, and their available and failing sources, without its database', async () => {
    const scrape = async () => {
      const response = await fetch(`${service.operationsUrl}/metrics`);
      return { status: response.status, text: await response.text() };
    };
    const valueIn = (text: string, metric: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${metric} `))
          ?.split(' ')[1],
      );
    const metrics = [
      'catalogue_price_age_seconds{source="feeds:alphanet"}',
      'catalogue_price_age_seconds{source="fiat:configured"}',
      `catalogue_asset_price_age_seconds{asset="${WETH}"}`,
      `catalogue_asset_quote_age_seconds{asset="${WETH}",source="feeds:alphanet"}`,
      'catalogue_asset_quote_age_seconds{asset="eur",source="fiat:configured"}',
    ];
    const failures = 'catalogue_price_source_failures_total{source="chain:betanet"}';
    const circuit = 'catalogue_price_source_circuit_open';
    await eventually(async () => {
      const { text } = await scrape();
      for (const metric of metrics) expect(valueIn(text, metric)).toBeLessThan(600);
      expect(valueIn(text, failures)).toBeGreaterThan(0);
      expect(valueIn(text, `${circuit}{source="chain:alphanet"}`)).toBe(0);
      expect(valueIn(text, `${circuit}{source="chain:betanet"}`)).toBe(1);
      expect(valueIn(text, 'catalogue_tokens_without_price{chain="alphanet"}')).toBe(0);
      expect(valueIn(text, 'catalogue_tokens_without_price{chain="betanet"}')).toBe(5);
    });
    const dataSource = service.app.get(DataSource);
    await dataSource.query('ALTER TABLE assets RENAME TO assets_away');
    const { status, text: blind } = await scrape();
    await dataSource.query('ALTER TABLE assets_away RENAME TO assets');
    expect(status).toBe(200);
    for (const metric of metrics) expect(valueIn(blind, metric)).not.toBeNaN();
  });

  it('has entities that match its migrations', async () => {
    const source = createDataSource({ database: database.database, entities, migrations });
    await source.initialize();
    try {
      expect(await pendingSchemaChanges(source)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });
});
