import { chainDefinitions } from '@bascule/chain';
import type { AssetsResponse, ChainsResponse, KeyMode } from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { startService, type RunningService } from '@bascule/service-host';
import { createServiceDatabase, internalTokens, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCatalogueConfig } from '../config/catalogue.config.js';
import { catalogueService } from '../index.js';

/** Closed port: listing needs no chain. */
const NOBODY = 'http://127.0.0.1:9';
const DEVELOPMENT = ['alphanet', 'betanet', 'deltanet'];
const names = Object.keys(chainDefinitions).filter((name) => !DEVELOPMENT.includes(name));
const tokens = internalTokens();

describe('a deployment that names every public chain', () => {
  let database: ServiceDatabase;
  let service: RunningService;

  beforeAll(async () => {
    database = await createServiceDatabase('catalogue');
    const env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: names.join(','),
      PRICE_INTERVAL_MS: '3600000',
      ...Object.fromEntries(names.map((name) => [`RPC_URLS_${name.toUpperCase()}`, NOBODY])),
    };
    await catalogueService.migrate?.(parseCatalogueConfig(env));
    service = await startService(catalogueService, env);
  });
  afterAll(async () => {
    await service.shutdown({ graceMs: 0 });
    await database.drop();
  });

  async function get<T>(path: string, mode: KeyMode = 'live'): Promise<T> {
    const token = await tokens.token({ permissions: ['assets'], mode });
    const response = await fetch(`${service.url}${path}`, {
      headers: { [INTERNAL_TOKEN_HEADER]: token },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  it('lists exactly the named chains, with their public endpoints', async () => {
    const chains = {
      ...(await get<ChainsResponse>('/chains?sandbox=true')),
      ...(await get<ChainsResponse>('/chains?sandbox=false')),
    };
    expect(Object.keys(chains).sort()).toEqual([...names].sort());
    for (const [name, chain] of Object.entries(chains)) {
      const definition = chainDefinitions[name];
      expect(chain).toMatchObject({
        chain_id: { '#': String(definition?.chainId) },
        rpc: definition?.publicRpc,
        explorer: `${definition?.explorer ?? ''}/`,
        is_testnet: definition?.isTestnet,
      });
    }
    expect(JSON.stringify(chains)).not.toContain(NOBODY);
  });

  it('separates main networks and their tokens from test networks', async () => {
    const main = names.filter((name) => chainDefinitions[name]?.isTestnet === false);
    const live = await get<ChainsResponse>('/chains?sandbox=false');
    expect(Object.keys(live)).toEqual([...main].sort());
    const assets = Object.values(await get<AssetsResponse>('/assets?sandbox=false'));
    const shown = assets.flatMap((asset) => ('chain' in asset ? [asset] : []));
    expect([...new Set(shown.map(({ chain }) => chain))].sort()).toEqual([...main].sort());
    expect(shown.length).toBeGreaterThan(70);
    const sandbox = await get<AssetsResponse>(
      '/assets?sandbox=true&assets[]=sepolia:0x&assets[]=base:0x',
    );
    expect(Object.keys(sandbox)).toEqual(['sepolia:0x']);
  });

  it('shows live chains to a live key, and test chains to a test key, whatever it asks for', async () => {
    const isTest = (name: string) => chainDefinitions[name]?.isTestnet === true;
    const chainsOf = async (mode: KeyMode, query = '') =>
      Object.keys(await get<ChainsResponse>(`/chains${query}`, mode));
    expect(await chainsOf('live')).toEqual(names.filter((name) => !isTest(name)).sort());
    expect(await chainsOf('test')).toEqual(names.filter(isTest).sort());
    expect(await chainsOf('test', '?sandbox=false')).toEqual([]);
    const assets = await get<AssetsResponse>('/assets', 'test');
    const shown = Object.values(assets).flatMap((asset) => ('chain' in asset ? [asset] : []));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter(({ chain }) => !isTest(chain))).toEqual([]);
    expect(assets).toHaveProperty('usd');
  });

  it('lets no shared cache store lists, which differ by the mode of the key', async () => {
    for (const path of ['/chains', '/assets']) {
      for (const mode of ['live', 'test'] as const) {
        const token = await tokens.token({ permissions: ['assets'], mode });
        const { headers } = await fetch(`${service.url}${path}`, {
          headers: { [INTERNAL_TOKEN_HEADER]: token },
        });
        expect(headers.get('cache-control')).toBe('private, max-age=2');
      }
    }
  });

  it('refuses to price a token of a live chain for a test key', async () => {
    const prices = async (mode: KeyMode) => {
      const response = await fetch(`${service.url}/prices`, {
        method: 'POST',
        headers: {
          [INTERNAL_TOKEN_HEADER]: await tokens.token({ permissions: ['assets'], mode }),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ fiat: 'usd', tokens: ['sepolia:0x', 'base:0x'] }),
      });
      return [response.status, await response.json()];
    };
    const message = 'Unknown chain base. Test keys use test chains only.';
    expect(await prices('test')).toEqual([
      400,
      { errors: [{ code: 'custom', path: ['tokens', 1], message }] },
    ]);
    expect((await prices('live'))[0]).toBe(200);
  });
});
