import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { startService, type RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, priceFeedAbi } from '@bascule/solidity';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startCapturingServer,
  startTestChain,
  type CannedResponse,
  type CapturingServer,
  type ServiceDatabase,
  type TestChain,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseCatalogueConfig } from '../config/catalogue.config.js';
import { catalogueService } from '../index.js';
import { rateDocument } from '../testing/rate-document.fixture.js';
import {
  HTML,
  startMarketDataStub,
  type MarketDataStub,
} from '../testing/market-data-stub.fixture.js';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const BASE_USDC = `base:${USDC.toLowerCase()}`;
const WETH = `alphanet:${developmentAddresses.weth.toLowerCase()}`;
const MAX_TOKENS = 60;
const tokens = internalTokens();

/** Starts the service with stubbed upstreams, one live chain and one without an endpoint. */
describe('POST /prices', () => {
  let chain: TestChain;
  let database: ServiceDatabase;
  let market: MarketDataStub;
  let bank: CapturingServer;
  let bankAnswer: CannedResponse;
  let env: NodeJS.ProcessEnv;
  let service: RunningService;

  beforeAll(async () => {
    bankAnswer = { body: rateDocument({ USD: '1.25', GBP: '0.5' }, today()) };
    [chain, database, market, bank] = await Promise.all([
      startTestChain(),
      createServiceDatabase('catalogue'),
      startMarketDataStub(),
      startCapturingServer(() => bankAnswer),
    ]);
    market.prices.set(USDC.toLowerCase(), '0.999812').set('ethereum', '3021.123456789012345678');
    market.rates.set('usd', '60000').set('gbp', '1').set('ngn', '96000000');
    const node = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
    await node.increaseTime({ seconds: 3_600 });
    await node.mine({ blocks: 1 });
    env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: 'alphanet,base',
      RPC_URLS_ALPHANET: chain.rpcUrl,
      RPC_URLS_BASE: 'http://127.0.0.1:9',
      POOL_PRICES: 'alphanet',
      POOL_MIN_DEPTH_USD: '1000',
      PRICE_INTERVAL_MS: '200',
      PRICE_MAX_AGE_MS: '600000',
      PRICES_MAX_TOKENS: String(MAX_TOKENS),
      MARKET_DATA_URL: `${market.server.url}/api/v3`,
      MARKET_DATA_API_KEY: 'demo-key',
      MARKET_DATA_CALLS_PER_MONTH: '1000000',
      UPSTREAM_TIMEOUT_MS: '30000',
      UPSTREAM_RETRY_MS: '200',
      MARKET_DATA_INTERVAL_MS: '3600000',
      MARKET_DATA_MAX_AGE_MS: '36000000',
      ECB_RATES_URL: `${bank.url}/eurofxref-daily.xml`,
    };
    await catalogueService.migrate?.(parseCatalogueConfig(env));
    service = await startService(catalogueService, env);
  });
  afterAll(async () => {
    await service.shutdown({ graceMs: 0 });
    await Promise.all([chain.stop(), database.drop(), market.server.stop(), bank.stop()]);
  });

  function today(): string {
    return new Date().toISOString().slice(0, 10);
  }

  async function prices(
    fiat: string,
    ...assets: string[]
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${service.url}/prices`, {
      method: 'POST',
      headers: {
        [INTERNAL_TOKEN_HEADER]: await tokens.token({ permissions: ['assets'] }),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ fiat, tokens: assets }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
    return Number(line?.split(' ')[1]);
  }

  it('uses market data, rounded to ten digits, for tokens without an on-chain price', async () => {
    await eventually(async () => {
      expect((await prices('USD', `base:${USDC}`, 'base:0x')).body).toEqual({
        usd: '1.0',
        [BASE_USDC]: '0.999812',
        'base:0x': '3021.123457',
      });
    });
    expect(market.server.requests[0]?.headers['x-cg-demo-api-key']).toBe('demo-key');
  });

  it('prices in every fiat currency with an exchange rate', async () => {
    await eventually(async () => {
      expect((await prices('GBP', `base:${USDC}`)).body).toEqual({
        gbp: '1.0',
        usd: '0.4',
        [BASE_USDC]: '0.3999248',
      });
    });
    // The central bank has no rate of it, the market-data API has.
    await eventually(async () => {
      expect((await prices('NGN')).body).toEqual({ ngn: '1.0', usd: '1600' });
    });
    const { status, body } = await prices('xof', `base:${USDC}`);
    expect(status).toBe(400);
    expect(body['errors']).toEqual([expect.objectContaining({ code: 'custom', path: ['fiat'] })]);
  });

  it('responds from the cache and makes no extra upstream calls under load', async () => {
    await eventually(async () => {
      expect((await prices('usd', BASE_USDC)).body).toHaveProperty([BASE_USDC]);
    });
    const calls = market.priceRequests().length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => prices('usd', BASE_USDC)));
    expect(answers.every(({ body }) => body[BASE_USDC] === '0.999812')).toBe(true);
    expect(market.priceRequests()).toHaveLength(calls);
  });

  it('accepts the maximum number of tokens and refuses more', async () => {
    const some = Array.from({ length: MAX_TOKENS }, () => BASE_USDC);
    expect((await prices('usd', ...some)).status).toBe(200);
    const { status, body } = await prices('usd', ...some, BASE_USDC);
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      { code: 'too_big', path: ['tokens'], message: `Expected at most ${MAX_TOKENS} tokens.` },
    ]);
  });

  it('refuses an unlisted chain', async () => {
    const { status, body } = await prices('usd', 'base:0x', 'nowhere:0x');
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      { code: 'custom', path: ['tokens', 1], message: 'Unknown chain nowhere.' },
    ]);
  });

  it('combines prices that agree and has none while they disagree', async () => {
    const fromBoth = `catalogue_asset_quote_age_seconds{asset="${WETH}",source="pools:alphanet"}`;
    await eventually(async () => {
      expect(await metric(fromBoth)).toBeGreaterThanOrEqual(0);
      expect((await prices('usd', WETH)).body).toHaveProperty([WETH]);
    });
    const owner = createWalletClient({
      account: privateKeyToAccount(developmentAccounts[1].privateKey),
      transport: http(chain.rpcUrl),
    });
    await owner.writeContract({
      chain: null,
      address: developmentAddresses.priceFeeds.ethUsd,
      abi: priceFeedAbi,
      functionName: 'setAnswer',
      args: [900_000_000_000n],
    });
    await eventually(
      async () => {
        expect((await prices('usd', WETH, BASE_USDC)).body).toEqual({
          usd: '1.0',
          [BASE_USDC]: '0.999812',
        });
      },
      { timeoutMs: 90_000 },
    );
    expect(await metric('catalogue_prices_disputed_total')).toBeGreaterThan(0);
    // A withdrawn price has its own alert and does not count as an old price.
    expect(await metric('catalogue_prices_withdrawn')).toBeGreaterThan(0);
    const ageOf = (asset: string) => metric(`catalogue_asset_price_age_seconds{asset="${asset}"}`);
    expect(await ageOf(BASE_USDC)).toBeLessThan(600);
    expect(await ageOf(WETH)).toBeNaN();
    expect(await metric('catalogue_price_age_seconds{source="market"}')).toBeLessThan(600);
    expect(
      await metric('catalogue_price_quotes_refused_total{source="pools:alphanet"}'),
    ).toBeGreaterThan(0);
  });

  it('exports the metrics of its alerts from the start', async () => {
    const rules = readFileSync(resolve('apps/catalogue/alerts.yaml'), 'utf8');
    const expressions = [...rules.matchAll(/expr: (.+)\n/g)].map(
      ([, expression = '']) => expression,
    );
    expect(expressions).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    const series = (await (await fetch(`${service.operationsUrl}/metrics`)).text()).split('\n');
    const selectors = expressions.map((expression) => {
      const [, name = 'none', matcher = ''] =
        /(catalogue_\w+)(?:\{([^}]*)\})?/.exec(expression) ?? [];
      const [, label = ''] = /by \((\w+)\)/.exec(expression) ?? [];
      return { name, matcher, label };
    });
    const isChosen = (
      { name, matcher, label }: (typeof selectors)[number],
      line: string,
    ): boolean =>
      (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
      line.includes(matcher) &&
      line.includes(label);
    const missing = selectors.filter(
      (selector) => !series.some((line) => isChosen(selector, line)),
    );
    expect(missing).toEqual([]);
  });

  it('keeps exchange rates over a restart while their source is unavailable', async () => {
    bankAnswer = HTML;
    await service.shutdown({ graceMs: 0 });
    service = await startService(catalogueService, env);
    await eventually(async () => {
      expect((await prices('eur')).body).toEqual({ eur: '1.0', usd: '0.8' });
      expect(
        await metric('catalogue_upstream_calls_total{upstream="ecb",outcome="failed"}'),
      ).toBeGreaterThan(0);
    });
  });
});
