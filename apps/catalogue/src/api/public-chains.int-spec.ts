import { chainDefinitions } from '@bascule/chain';
import type { AssetsResponse, ChainsResponse } from '@bascule/contracts';
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

  async function get<T>(path: string): Promise<T> {
    const token = await tokens.token({ permissions: ['assets'] });
    const response = await fetch(`${service.url}${path}`, {
      headers: { [INTERNAL_TOKEN_HEADER]: token },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  it('lists exactly the named chains, with their public endpoints', async () => {
    const chains = await get<ChainsResponse>('/chains');
    expect(Object.keys(chains)).toEqual([...names].sort());
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
});
