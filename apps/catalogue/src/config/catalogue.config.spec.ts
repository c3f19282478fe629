import { formatDecimal } from '@bascule/amounts';
import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { parseCatalogueConfig } from './catalogue.config.js';

const complete: NodeJS.ProcessEnv = {
  PORT: '0',
  DATABASE_URL: 'postgres://catalogue@127.0.0.1/bascule',
  INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: Buffer.alloc(32, 1).toString('base64url') }],
  }),
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://127.0.0.1:8545',
};

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    parseCatalogueConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [...error.problems];
    throw error;
  }
}

const ratesOf = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const { prices } = parseCatalogueConfig({ ...complete, ...env });
  const rates = [...prices.fiatRates].map(([code, rate]) => [code, formatDecimal(rate)]);
  return Object.fromEntries(rates) as Record<string, string>;
};

describe('parseCatalogueConfig', () => {
  it('requires only URLs and keys', () => {
    expect(problemsOf(complete)).toEqual([]);
    const { prices } = parseCatalogueConfig(complete);
    expect([...prices.fiatRates.keys()]).toEqual(expect.arrayContaining(['usd', 'eur', 'gbp']));
    expect(prices.republishAfterMs).toBeLessThan(prices.maxAgeMs);
    expect([prices.marketData, prices.ecb, prices.pools.chains.size]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });

  it('accepts exchange rates, with the US dollar always at 1', () => {
    expect(ratesOf({ FIAT_RATES: '{"EUR":"1.2","usd":"9"}' })).toEqual({ eur: '1.2', usd: '1' });
  });

  it('has development rates only for test chains without a source of real rates', () => {
    const live = { CHAINS: 'alphanet,base', RPC_URLS_BASE: 'http://127.0.0.1:8545' };
    expect(ratesOf({})).toHaveProperty('eur');
    expect(ratesOf(live)).toEqual({ usd: '1' });
    expect(ratesOf({ ECB_RATES_URL: 'https://bank.example/daily.xml' })).toEqual({ usd: '1' });
  });

  it('redacts the key of the market-data API', () => {
    const config = parseCatalogueConfig({
      ...complete,
      MARKET_DATA_URL: 'https://pro-api.example/api/v3/',
      MARKET_DATA_API_KEY: 'very-secret',
      MARKET_DATA_PLAN: 'pro',
    });
    expect(config.prices.marketData).toMatchObject({
      url: 'https://pro-api.example/api/v3',
      apiKey: 'very-secret',
      plan: 'pro',
    });
    expect(JSON.stringify(config)).not.toContain('very-secret');
  });

  it('fetches market rates as often as central bank rates within the monthly budget', () => {
    const HOUR_MS = 3_600_000;
    const intervalMs = (calls: string): number | undefined =>
      parseCatalogueConfig({
        ...complete,
        MARKET_DATA_URL: 'https://api.example/api/v3',
        MARKET_DATA_CALLS_PER_MONTH: calls,
      }).prices.marketData?.exchangeRates.intervalMs;
    expect(intervalMs('1000000')).toBe(HOUR_MS);
    expect(intervalMs('10000')).toBe((31 * 24 * HOUR_MS) / 400);
  });

  it('refuses a monthly call budget too small to keep market data fresh', () => {
    const demo = { ...complete, MARKET_DATA_URL: 'https://api.example/api/v3' };
    expect(problemsOf(demo)).toEqual([]);
    const chains = ['base', 'ethereum', 'polygon'];
    const urls = chains.map((chain) => [`RPC_URLS_${chain.toUpperCase()}`, 'http://127.0.0.1:1']);
    const live = {
      ...demo,
      ...(Object.fromEntries(urls) as Record<string, string>),
      CHAINS: chains.join(),
    };
    expect(problemsOf(live).join()).toMatch(/MARKET_DATA_CALLS_PER_MONTH.*MARKET_DATA_MAX_AGE_MS/);
    expect(problemsOf({ ...live, MARKET_DATA_CALLS_PER_MONTH: '500000' })).toEqual([]);
  });

  it.each([
    ['POOL_PRICES', 'nowhere'],
    ['POOL_MIN_DEPTH_USD', '1,000'],
    ['MARKET_DATA_URL', 'ftp://example.org'],
    ['MARKET_DATA_PLAN', 'free'],
    ['PRICE_TOLERANCE_BPS', '10001'],
    ['PRICES_MAX_TOKENS', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...complete, [name]: value }).join()).toContain(name);
  });

  it.each(['no JSON', '[]7', '{"eur":"-1"}', '{"eur":"0"}', '7'])(
    'refuses %s as exchange rates',
    (rates) => {
      const [problem] = problemsOf({ ...complete, FIAT_RATES: rates });
      expect(problem).toMatch(/^FIAT_RATES/);
    },
  );

  it('reports every problem together, chain problems included', () => {
    const problems = problemsOf({ CHAINS: 'alphanet,nowhere' });
    expect(problems.join()).toMatch(
      /DATABASE_URL.*RPC_URLS_ALPHANET|RPC_URLS_ALPHANET.*DATABASE_URL/,
    );
  });
});
