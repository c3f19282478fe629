import { AmountError, parseDecimal, type Decimal } from '@bascule/amounts';
import type { ChainsConfig } from '@bascule/chain';
import {
  basisPoints,
  ConfigurationError,
  integer,
  list,
  makeValidator,
  milliseconds,
  sensitive,
  str,
  type Parsed,
} from '@bascule/process';
import { developmentRates } from '../prices/development-rates.js';
import { fiatRates, type FiatRates } from '../prices/fiat-rates.js';
import { KEY_HEADERS, type MarketDataPlan } from '../prices/market-data-plan.js';
import { pacedIntervalMs } from '../prices/paced-interval.js';

const DAY_MS = 86_400_000;
const MAX_WAIT_MS = 1_500;

const amount = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw error instanceof AmountError ? new Error(error.message, { cause: error }) : error;
  }
};

const rates = makeValidator<FiatRates>((input) => {
  const table: unknown = JSON.parse(input);
  if (typeof table !== 'object' || table === null) throw new Error('expected {"eur":"1.16",…}');
  const texts = Object.entries(table).map(([code, rate]) => [code, String(rate)] as const);
  return amount(() => fiatRates(Object.fromEntries(texts)));
});

const usd = makeValidator<Decimal>((input) => amount(() => parseDecimal(input)));

const httpUrl = makeValidator<string>((input) => {
  const isHttp = URL.canParse(input) && ['http:', 'https:'].includes(new URL(input).protocol);
  if (!isHttp) throw new Error('expected an http(s) URL');
  return input.replace(/\/+$/, '');
});

export const pricesEnv = {
  PRICE_INTERVAL_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'interval of price observations',
  }),
  PRICE_MAX_AGE_MS: integer({
    min: 1,
    default: 120_000,
    desc: 'maximum age of a price; older ones count as missing',
  }),
  PRICE_TOLERANCE_BPS: basisPoints({
    default: 300,
    desc: 'maximum distance of a source from the median',
  }),
  PRICES_MAX_TOKENS: integer({
    min: 1,
    default: 500,
    desc: 'maximum number of tokens in one request',
  }),
  POOL_PRICES: list({
    default: [],
    desc: 'names of chains whose Uniswap V3 pools are used as price sources',
  }),
  POOL_WINDOW_SECONDS: integer({
    min: 60,
    max: 86_400,
    default: 1_800,
    desc: 'averaging window of pool prices',
  }),
  POOL_MIN_DEPTH_USD: usd({
    default: parseDecimal('50000'),
    desc: 'amount that a pool must trade at its average price in both directions',
  }),
  MARKET_DATA_URL: httpUrl({ default: undefined, desc: 'API in the format of CoinGecko' }),
  MARKET_DATA_API_KEY: sensitive(
    str({ default: undefined, desc: 'API key of the CoinGecko plan' }),
  ),
  MARKET_DATA_PLAN: str({
    choices: Object.keys(KEY_HEADERS) as MarketDataPlan[],
    default: 'demo',
    desc: 'CoinGecko plan; selects the header of the API key',
  }),
  MARKET_DATA_INTERVAL_MS: milliseconds({
    min: 1,
    default: 60_000,
    desc: 'interval of calls for the same tokens',
  }),
  MARKET_DATA_MAX_AGE_MS: integer({
    min: 1,
    default: 900_000,
    desc: 'maximum age of market data',
  }),
  MARKET_DATA_CALLS_PER_MINUTE: integer({ min: 1, default: 30 }),
  MARKET_DATA_CALLS_PER_MONTH: integer({ min: 1, default: 10_000 }),
  UPSTREAM_TIMEOUT_MS: milliseconds({ min: 1, default: 5_000, desc: 'time limit of one call' }),
  UPSTREAM_RETRY_MS: milliseconds({ min: 1, default: 60_000, desc: 'pause after a failed call' }),
  ECB_RATES_URL: httpUrl({
    default: undefined,
    desc: 'URL of the daily XML document of the European Central Bank',
  }),
  ECB_INTERVAL_MS: milliseconds({
    min: 1,
    default: 3_600_000,
    desc: 'interval of exchange rate reads',
  }),
  FIAT_RATE_MAX_AGE_DAYS: integer({
    min: 1,
    default: 7,
    desc: 'maximum age of exchange rates; older ones count as missing',
  }),
  FIAT_RATES: rates({
    default: undefined,
    desc: 'US dollars per unit of fiat currencies as JSON; overrides every other source',
  }),
};

interface ExchangeRatesConfig {
  readonly intervalMs: number;
  readonly maxAgeMs: number;
  readonly retryMs: number;
}

export interface MarketDataConfig {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly plan: MarketDataPlan;
  readonly intervalMs: number;
  readonly maxAgeMs: number;
  readonly maxWaitMs: number;
  readonly retryMs: number;
  readonly callsPerMinute: number;
  readonly callsPerMonth: number;
  readonly exchangeRates: ExchangeRatesConfig & { readonly maxWaitMs: number };
}

export interface PricesConfig {
  readonly observeEveryMs: number;
  readonly maxAgeMs: number;
  /** Republishes an unchanged price before projections of it become stale. */
  readonly republishAfterMs: number;
  readonly toleranceBps: number;
  readonly maxTokens: number;
  readonly fiatRates: FiatRates;
  readonly pools: {
    readonly chains: ReadonlySet<string>;
    readonly windowSeconds: number;
    readonly minDepthUsd: Decimal;
    readonly toleranceBps: number;
  };
  readonly upstreamTimeoutMs: number;
  readonly marketData: MarketDataConfig | undefined;
  readonly ecb: (ExchangeRatesConfig & { readonly url: string }) | undefined;
}

/** @throws ConfigurationError */
export function pricesConfig(
  env: Parsed<typeof pricesEnv>,
  { chains }: ChainsConfig,
): PricesConfig {
  const poolChains = env.POOL_PRICES.map((chain) => chain.toLowerCase());
  const unknown = poolChains.filter((name) =>
    chains.every(({ definition }) => definition.name !== name),
  );
  if (unknown.length > 0) {
    throw new ConfigurationError(unknown.map((name) => `POOL_PRICES: unknown chain "${name}"`));
  }
  const isDevelopment = chains.every(({ definition }) => definition.isTestnet);
  return {
    observeEveryMs: env.PRICE_INTERVAL_MS,
    maxAgeMs: env.PRICE_MAX_AGE_MS,
    republishAfterMs: env.PRICE_MAX_AGE_MS / 4,
    toleranceBps: env.PRICE_TOLERANCE_BPS,
    maxTokens: env.PRICES_MAX_TOKENS,
    fiatRates: env.FIAT_RATES ?? fiatRates(ratesWithoutSource(env, isDevelopment)),
    pools: {
      chains: new Set(poolChains),
      windowSeconds: env.POOL_WINDOW_SECONDS,
      minDepthUsd: env.POOL_MIN_DEPTH_USD,
      toleranceBps: env.PRICE_TOLERANCE_BPS,
    },
    upstreamTimeoutMs: env.UPSTREAM_TIMEOUT_MS,
    marketData:
      env.MARKET_DATA_URL === undefined ? undefined : marketData(env, env.MARKET_DATA_URL, chains),
    ecb:
      env.ECB_RATES_URL === undefined
        ? undefined
        : { url: env.ECB_RATES_URL, ...exchangeRates(env) },
  };
}

/** Development rates apply only to test chains without a configured source. */
const ratesWithoutSource = (
  { ECB_RATES_URL }: Parsed<typeof pricesEnv>,
  isDevelopment: boolean,
): Readonly<Record<string, string>> =>
  isDevelopment && ECB_RATES_URL === undefined ? developmentRates : {};

const exchangeRates = (env: Parsed<typeof pricesEnv>): ExchangeRatesConfig => ({
  intervalMs: env.ECB_INTERVAL_MS,
  maxAgeMs: env.FIAT_RATE_MAX_AGE_DAYS * DAY_MS,
  retryMs: env.UPSTREAM_RETRY_MS,
});

/** Share of the monthly calls for exchange rates. */
const RATES_SHARE = 0.05;

/** Largest interval between rounds, as a share of the maximum age of market data. */
const WAIT_SHARE = 0.8;

/** @throws ConfigurationError when the monthly calls cannot keep the chains' prices fresh */
function marketData(
  env: Parsed<typeof pricesEnv>,
  url: string,
  chains: ChainsConfig['chains'],
): MarketDataConfig {
  const [wantedMs, maxAgeMs] = [env.MARKET_DATA_INTERVAL_MS, env.MARKET_DATA_MAX_AGE_MS];
  const callsPerMonth = env.MARKET_DATA_CALLS_PER_MONTH;
  const platforms = chains.filter(({ definition }) => definition.coingeckoPlatform !== undefined);
  // One call per platform and one for all native currencies.
  const callsPerRound = platforms.length + 1;
  const intervalMs = pacedIntervalMs({ wantedMs, callsPerRound, callsPerMonth });
  if (platforms.length > 0 && intervalMs > WAIT_SHARE * maxAgeMs) {
    throw new ConfigurationError([
      `MARKET_DATA_CALLS_PER_MONTH: ${callsPerMonth} calls allow one round every ${Math.ceil(intervalMs / 1000)} s for ${platforms.length} chains; too few for MARKET_DATA_MAX_AGE_MS=${maxAgeMs} and MARKET_DATA_INTERVAL_MS=${wantedMs}`,
    ]);
  }
  return {
    url,
    apiKey: env.MARKET_DATA_API_KEY,
    plan: env.MARKET_DATA_PLAN,
    intervalMs: wantedMs,
    maxAgeMs,
    maxWaitMs: MAX_WAIT_MS,
    retryMs: env.UPSTREAM_RETRY_MS,
    callsPerMinute: env.MARKET_DATA_CALLS_PER_MINUTE,
    callsPerMonth,
    exchangeRates: {
      ...exchangeRates(env),
      intervalMs: pacedIntervalMs({
        wantedMs: env.ECB_INTERVAL_MS,
        callsPerRound: 1,
        callsPerMonth: RATES_SHARE * callsPerMonth,
      }),
      maxWaitMs: MAX_WAIT_MS,
    },
  };
}
