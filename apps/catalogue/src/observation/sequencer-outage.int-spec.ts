import { chainDefinitions, parseChainsConfig } from '@bascule/chain';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { startService, type RunningService, type ServiceDefinition } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
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
import { concatHex, createTestClient, http, publicActions, toHex, type Address } from 'viem';
import { parseCatalogueConfig, type CatalogueConfig } from '../config/catalogue.config.js';
import { catalogueService } from '../index.js';

const HOUR = 3_600;
const UPTIME_FEED: Address = `0x${'5'.repeat(40)}`;
/** Code that returns the 160 bytes behind it for every call. */
const ANSWERS_WHAT_FOLLOWS = '0x60a0600c60003960a06000f3';
const WETH = `alphanet:${developmentAddresses.weth.toLowerCase()}`;
const tokens = internalTokens();

/** The unchanged service on a chain that is a rollup. */
const service: ServiceDefinition<CatalogueConfig> = {
  ...catalogueService,
  parseConfig: (env) => {
    const { alphanet } = chainDefinitions;
    if (!alphanet) throw new Error('expected alphanet in the definitions');
    const contracts = { ...alphanet.contracts, sequencerUptimeFeed: UPTIME_FEED };
    const definitions = { ...chainDefinitions, alphanet: { ...alphanet, contracts } };
    return { ...parseCatalogueConfig(env), chains: parseChainsConfig(env, definitions) };
  },
};

describe('the prices of a rollup', () => {
  let chain: TestChain;
  let database: ServiceDatabase;
  let admin: DataSource;
  let running: RunningService;

  beforeAll(async () => {
    [chain, database] = await Promise.all([startTestChain(), createServiceDatabase('catalogue')]);
    admin = await new DataSource({ type: 'postgres', url: database.adminUrl }).initialize();
    await sequencerSays({ answer: 0n, secondsAgo: 2 * HOUR });
    const env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: 'alphanet',
      RPC_URLS_ALPHANET: chain.rpcUrl,
      PRICE_INTERVAL_MS: '200',
      // The tested event happens long before.
      PRICE_MAX_AGE_MS: '3600000',
    };
    await catalogueService.migrate?.(service.parseConfig(env));
    running = await startService(service, env);
  });
  afterAll(async () => {
    await running.shutdown({ graceMs: 0 });
    await admin.destroy();
    await Promise.all([chain.stop(), database.drop()]);
  });

  async function sequencerSays(o: { answer: bigint; secondsAgo: number }): Promise<void> {
    const node = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).extend(
      publicActions,
    );
    const { timestamp } = await node.getBlock();
    const since = timestamp - BigInt(o.secondsAgo);
    const round = [1n, o.answer, since, since, 1n].map((word) => toHex(word, { size: 32 }));
    const bytecode = concatHex([ANSWERS_WHAT_FOLLOWS, ...round]);
    await node.setCode({ address: UPTIME_FEED, bytecode });
  }

  async function prices(): Promise<unknown> {
    const response = await fetch(`${running.url}/prices`, {
      method: 'POST',
      headers: {
        [INTERNAL_TOKEN_HEADER]: await tokens.token({ permissions: ['assets'] }),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ fiat: 'usd', tokens: [WETH] }),
    });
    return response.json();
  }

  /** Time of observation in the last event of the price. */
  async function lastObserved(): Promise<number> {
    const rows: { value: Buffer }[] = await admin.query(
      `SELECT value FROM event_log.records WHERE topic = 'bascule.price'
       ORDER BY published_at, "offset"`,
    );
    const events = rows.map(
      ({ value }) =>
        JSON.parse(value.toString('utf8')) as { subject: string; data: { observed_at: string } },
    );
    return Date.parse(events.findLast(({ subject }) => subject === WETH)?.data.observed_at ?? '');
  }

  const isThere = (): Promise<void> =>
    eventually(
      async () => {
        expect(await prices()).toHaveProperty([WETH]);
        expect(Date.now() - (await lastObserved())).toBeLessThan(HOUR * 1_000);
      },
      { timeoutMs: 90_000 },
    );

  it('are withdrawn when its sequencer goes down and return an hour after it recovers', async () => {
    await isThere();
    await sequencerSays({ answer: 1n, secondsAgo: 10 });
    await eventually(
      async () => {
        expect(await prices()).toEqual({ usd: '1.0' });
        expect(Date.now() - (await lastObserved())).toBeGreaterThan(24 * HOUR * 1_000);
      },
      { timeoutMs: 90_000 },
    );
    await sequencerSays({ answer: 0n, secondsAgo: 2 * HOUR });
    await isThere();
  });
});
