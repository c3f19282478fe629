import { formatDecimal } from '@bascule/amounts';
import { eventually } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ListedToken } from '../../assets/listed-assets.js';
import type { Observation } from '../../prices/price-source.js';
import {
  UpstreamClient,
  type CallBudget,
  type CallOutcome,
} from '../../upstream/upstream.client.js';
import { CoinGeckoClient } from './coin-gecko.client.js';
import { MarketPricesAdapter, type MarketPolicy } from './market-prices.adapter.js';
import {
  HTML,
  RATE_LIMITED,
  startMarketDataStub,
  TOO_MANY_CONTRACTS,
  type MarketDataStub,
} from '../../testing/market-data-stub.fixture.js';

const INTERVAL_MS = 3_600_000;
const USDC = `0x${'a'.repeat(40)}`;
const WETH = `0x${'b'.repeat(40)}`;
const token = (chain: string, address: string): ListedToken => ({
  id: `${chain}:${address}`,
  chain,
  asset: {
    chain,
    address,
    name: '',
    symbol: '',
    decimals: 18,
    image_url: '',
    is_native: address === '0x',
  },
});
const NAMES: Record<string, { platform?: string; nativeCoin?: string }> = {
  ethereum: { platform: 'ethereum', nativeCoin: 'ethereum' },
  base: { platform: 'base', nativeCoin: 'ethereum' },
  alphanet: {},
};
const EVERYTHING_BUT_THE_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const TOKENS = [
  token('ethereum', '0x'),
  token('ethereum', USDC),
  token('ethereum', WETH),
  token('base', '0x'),
  token('base', USDC),
  token('alphanet', '0x'),
  token('alphanet', USDC),
];

describe('prices of a market-data API', () => {
  let stub: MarketDataStub;
  let upstream: UpstreamClient;
  let market: MarketPricesAdapter;
  let outcomes: CallOutcome[];

  beforeEach(async () => {
    stub = await startMarketDataStub();
    for (const [key, price] of Object.entries({ [USDC]: '1.0002', ethereum: '3021.5' })) {
      stub.prices.set(key, price);
    }
    outcomes = [];
    start();
  });
  afterEach(async () => {
    await upstream.close();
    await stub.server.stop();
  });

  function start(
    o: {
      policy?: Partial<MarketPolicy>;
      headers?: Record<string, string>;
      timeoutMs?: number;
      budget?: CallBudget;
    } = {},
  ): void {
    upstream = new UpstreamClient({
      name: 'market-data',
      url: `${stub.server.url}/api/v3`,
      accept: 'application/json',
      timeoutMs: o.timeoutMs ?? 20_000,
      coolDownMs: 20,
      onCall: (outcome) => outcomes.push(outcome),
      ...(o.headers && { headers: o.headers }),
      ...(o.budget && { budget: o.budget }),
    });
    market = new MarketPricesAdapter(new CoinGeckoClient(upstream), (chain) => NAMES[chain] ?? {}, {
      intervalMs: INTERVAL_MS,
      callsPerMonth: 100_000_000,
      maxAgeMs: 7_200_000,
      maxWaitMs: 60_000,
      retryMs: 60_000,
      ...o.policy,
    });
  }

  const observe = (tokens = TOKENS): Promise<Observation> =>
    market.observe(new Date(), { fiats: [], tokens });
  const pricesIn = ({ quotes }: Observation): Record<string, string> =>
    Object.fromEntries(quotes.map(({ asset, usd }) => [asset, formatDecimal(usd)]));

  it('need one call per platform and one for all native currencies, missing prices or not', async () => {
    expect(pricesIn(await observe())).toEqual({
      [`ethereum:${USDC}`]: '1.0002',
      [`base:${USDC}`]: '1.0002',
      'ethereum:0x': '3021.5',
      'base:0x': '3021.5',
    });
    expect(stub.priceRequests()).toEqual([
      { platform: 'ethereum', keys: [USDC, WETH] },
      { platform: 'base', keys: [USDC] },
      { platform: null, keys: ['ethereum'] },
    ]);
    expect(stub.server.requests[0]?.path).toBe(
      `/api/v3/simple/token_price/ethereum?contract_addresses=${USDC},${WETH}&vs_currencies=usd&include_last_updated_at=true&precision=full`,
    );
  });

  it.each(['x-cg-demo-api-key', 'x-cg-pro-api-key'])(
    'are requested with the API key in %s',
    async (header) => {
      await upstream.close();
      start({ headers: { [header]: 'secret' } });
      await observe();
      expect(stub.server.requests[0]?.headers[header]).toBe('secret');
      expect(stub.server.requests[0]?.path).not.toContain('secret');
    },
  );

  it('share one request among concurrent observations', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => observe()));
    expect(stub.priceRequests()).toHaveLength(3);
    for (const answer of answers) expect(pricesIn(answer)).toHaveProperty('base:0x', '3021.5');
  });

  it('are cached until due, and fetched immediately for a new token', async () => {
    await observe(TOKENS.slice(0, 2));
    await observe(TOKENS.slice(0, 2));
    expect(stub.priceRequests()).toHaveLength(2);
    stub.prices.set(WETH, '3020');
    expect(pricesIn(await observe(TOKENS.slice(0, 3)))).toHaveProperty(`ethereum:${WETH}`, '3020');
    expect(stub.priceRequests().slice(2)).toEqual([{ platform: 'ethereum', keys: [USDC, WETH] }]);
  });

  it('are refetched when due, and dropped when the response lacks them', async () => {
    await upstream.close();
    start({ policy: { intervalMs: 1 } });
    const [usdc] = [TOKENS.slice(1, 2)];
    expect(pricesIn(await observe(usdc))).toEqual({ [`ethereum:${USDC}`]: '1.0002' });
    stub.prices.set(USDC, '0.98');
    await eventually(async () => {
      expect(pricesIn(await observe(usdc))).toEqual({ [`ethereum:${USDC}`]: '0.98' });
    });
    stub.prices.delete(USDC);
    await eventually(async () => {
      expect(pricesIn(await observe(usdc))).toEqual({});
    });
  });

  it.each([
    { random: 0, early: 0.89, due: 0.91 },
    { random: 0.999, early: 1.09, due: 1.11 },
  ])('are due up to a tenth earlier or later (random: $random)', async ({ random, early, due }) => {
    jest.useFakeTimers({ doNotFake: [...EVERYTHING_BUT_THE_DATE] });
    jest.spyOn(Math, 'random').mockReturnValue(random);
    try {
      const start = Date.now();
      await observe(TOKENS.slice(1, 2));
      jest.setSystemTime(start + early * INTERVAL_MS);
      await observe(TOKENS.slice(1, 2));
      expect(stub.priceRequests()).toHaveLength(1);
      jest.setSystemTime(start + due * INTERVAL_MS);
      await observe(TOKENS.slice(1, 2));
      expect(stub.priceRequests()).toHaveLength(2);
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
  });

  it('are requested one by one when the plan refuses batches', async () => {
    stub.prices.set(WETH, '3020');
    stub.instead = ({ keys }) => (keys.length > 1 ? TOO_MANY_CONTRACTS : undefined);
    expect(pricesIn(await observe(TOKENS.slice(1, 3)))).toEqual({
      [`ethereum:${USDC}`]: '1.0002',
      [`ethereum:${WETH}`]: '3020',
    });
    expect(stub.priceRequests().map(({ keys }) => keys)).toEqual([[USDC, WETH], [USDC], [WETH]]);
  });

  it('are not requested during the Retry-After time of the API', async () => {
    await observe(TOKENS.slice(0, 2));
    stub.instead = () => RATE_LIMITED;
    const limited = await observe(TOKENS);
    const calls = stub.priceRequests().length;
    await observe(TOKENS);
    await observe([...TOKENS, token('base', WETH)]);
    expect(stub.priceRequests()).toHaveLength(calls);
    expect(outcomes).toContain('rate_limited');
    expect(String(limited.errors[0])).toContain('429');
    // Cached prices stay valid.
    expect(pricesIn(await observe(TOKENS))).toHaveProperty(`ethereum:${USDC}`, '1.0002');
  });

  it('are absent beyond their maximum age', async () => {
    stub.lastUpdatedAt -= 7_201;
    expect(pricesIn(await observe())).toEqual({});
    expect(pricesIn(await observe())).toEqual({});
  });

  it.each([
    ['a page of HTML', () => HTML],
    ['a server error', () => ({ status: 503, body: 'upstream connect error' })],
    ['a rejected key', () => ({ status: 401, body: '{"status":{"error_code":10002}}' })],
    ['a truncated response', () => ({ body: `{"${USDC}":{"usd":1.0` })],
    ['a decimal comma', () => ({ body: `{"${USDC}":{"usd":1,0,"last_updated_at":1}}` })],
    ['an endless response', () => ({ body: `{"x":"${'x'.repeat(2_000_000)}"}` })],
  ])('are absent and an error is reported after %s', async (_, answer) => {
    stub.instead = answer;
    const { quotes, errors } = await observe();
    expect(quotes).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(outcomes).toEqual(['failed']);
  });

  it('are dropped individually when malformed', async () => {
    stub.prices.set(USDC, '-1');
    const answer = await observe();
    expect(pricesIn(answer)).toEqual({ 'ethereum:0x': '3021.5', 'base:0x': '3021.5' });
    expect(String(answer.errors[0])).toContain(USDC);
  });

  it('do not delay observations while the API is slow, and arrive with a later one', async () => {
    await upstream.close();
    start({ policy: { maxWaitMs: 1 } });
    await eventually(async () => {
      expect(pricesIn(await observe(TOKENS.slice(0, 1)))).toEqual({ 'ethereum:0x': '3021.5' });
    });
    let answerNow = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    stub.instead = () => wait.then(() => ({ body: `{"${USDC}":{"usd":2,"last_updated_at":1}}` }));
    expect(pricesIn(await observe())).toEqual({ 'ethereum:0x': '3021.5', 'base:0x': '3021.5' });
    stub.instead = () => undefined;
    answerNow();
    await eventually(async () => {
      expect(pricesIn(await observe())).toHaveProperty(`base:${USDC}`, '1.0002');
    });
  });

  it('are requested in batches', async () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      token('base', `0x${index.toString(16).padStart(40, '0')}`),
    );
    for (const { asset } of many) stub.prices.set(asset.address, '1.5');
    expect(Object.keys(pricesIn(await observe(many)))).toHaveLength(120);
    expect(stub.priceRequests().map(({ keys }) => keys.length)).toEqual([50, 50, 20]);
  });

  it('are not requested beyond the call budget', async () => {
    await upstream.close();
    let left = 2;
    start({ budget: { take: async () => left-- > 0 } });
    const { quotes, errors } = await observe();
    expect(quotes.length).toBeGreaterThan(0);
    expect(String(errors[0])).toContain('spent');
    expect([stub.priceRequests().length, outcomes]).toEqual([
      2,
      ['answered', 'answered', 'over_budget'],
    ]);
  });

  it('are abandoned at the deadline', async () => {
    await upstream.close();
    start({ timeoutMs: 50 });
    stub.instead = () => new Promise(() => undefined);
    const { errors } = await observe();
    expect(String(errors[0])).toContain('did not answer within 50 ms');
  });
});

describe('an upstream that fails repeatedly', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is not called while the circuit is open, then probed once, then called normally', async () => {
    jest.useFakeTimers({ doNotFake: [...EVERYTHING_BUT_THE_DATE] });
    const stub = await startMarketDataStub();
    stub.instead = () => HTML;
    const outcomes: CallOutcome[] = [];
    const upstream = new UpstreamClient({
      name: 'market-data',
      url: stub.server.url,
      accept: 'application/json',
      timeoutMs: 20_000,
      coolDownMs: 120_000,
      onCall: (outcome) => outcomes.push(outcome),
    });
    const client = new CoinGeckoClient(upstream);
    const ask = (): Promise<unknown> => client.coinPrices(['ethereum']).catch(() => null);
    try {
      for (let call = 0; call < 8; call += 1) await ask();
      expect(upstream.isCircuitOpen).toBe(true);
      expect(stub.priceRequests()).toHaveLength(5);
      expect(outcomes).toEqual([
        ...Array<CallOutcome>(5).fill('failed'),
        ...Array<CallOutcome>(3).fill('circuit_open'),
      ]);
      jest.setSystemTime(Date.now() + 3_600_000);
      await ask();
      await ask();
      expect(outcomes.slice(8)).toEqual(['failed', 'circuit_open']);
      stub.instead = () => undefined;
      jest.setSystemTime(Date.now() + 3_600_000);
      await ask();
      await ask();
      expect(outcomes.slice(10)).toEqual(['answered', 'answered']);
      expect(upstream.isCircuitOpen).toBe(false);
    } finally {
      await upstream.close();
      await stub.server.stop();
    }
  });
});
