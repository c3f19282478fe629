import { convert, decimal, parseDecimal, unitsOf } from '@bascule/amounts';
import { Chains, parseChainsConfig } from '@bascule/chain';
import {
  DEFAULT_COUNTRY_RULES,
  NO_SWITCHES,
  parseTokenIdentifier,
  tokenIdentifier,
  type TokenIdentifier,
} from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import type { OnrampProvider } from '@bascule/providers';
import type { SwitchesService } from '@bascule/switches';
import type { Bridge } from '@bascule/venues';
import fc from 'fast-check';
import { zeroAddress } from 'viem';
import type { QuoteConfig } from '../config/quote.config.js';
import { ExactOutputService } from '../exact-output/exact-output.service.js';
import { InputEstimatorService } from '../exact-output/input-estimator.service.js';
import type { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import { InputLimitsService } from '../pricing/input-limits.service.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import { NetworkFeesService } from '../pricing/network-fees.service.js';
import { RouteQuoterService } from '../quotes/route-quoter.service.js';
import type { KnownAsset } from '../routes/known-asset.js';
import { PriceBook } from '../routes/price-book.js';
import { sourceCaches } from '../routes/request-cache.js';
import type { RequestContext } from '../routes/quoting-context.js';
import type { RevenueShare } from '../routes/revenue-share.js';
import type { BridgeLane, Ramp, Route, RouteLeg } from '../routes/route.js';
import { BridgeQuoterService } from '../sources/bridge-quoter.service.js';
import type { CoverageService } from '../sources/coverage.service.js';
import type { GasPricesService } from '../sources/gas-prices.service.js';
import { OnrampQuoterService } from '../sources/onramp-quoter.service.js';
import type { VenueRatingsService } from '../sources/venue-ratings.service.js';
import { VenueQuoterService } from '../sources/venue-quoter.service.js';
import {
  SimulatedBridge,
  SimulatedOnramp,
  SimulatedVenue,
  type Pool,
} from './simulated-sources.fixture.js';

const nothingPaused: Partial<SwitchesService> = { current: () => Promise.resolve(NO_SWITCHES) };
const nothingRated: Partial<VenueRatingsService> = { shortfallsOn: async () => () => 0n };

const CHAINS = ['alphanet', 'betanet', 'deltanet'];
const SYMBOLS = ['1', '2'] as const;
type TokenSymbol = (typeof SYMBOLS)[number];

const tokenOn = (chain: string, symbol: TokenSymbol): TokenIdentifier =>
  `${chain}:0x${symbol.repeat(40)}`;
const nativeOf = (chain: string) => tokenIdentifier(chain, zeroAddress);

const chains = new Chains(
  parseChainsConfig({
    CHAINS: CHAINS.join(),
    ...Object.fromEntries(
      CHAINS.map((name) => [`RPC_URLS_${name.toUpperCase()}`, 'http://127.0.0.1:9']),
    ),
  }),
);
const log = new ServiceContext({ name: 'quote', environment: 'test', logLevel: 'silent' });

/** Prices in US dollars with eight decimals. */
const aPrice = (min: bigint, max: bigint) =>
  fc.bigInt({ min, max }).map((units) => decimal(units, 8));

const aTokenOnAChain = fc.integer({ min: 6, max: 18 });

const aPool = fc.record({
  /** Thousands of dollars on each side. */
  depth: fc.bigInt({ min: 10_000n, max: 10_000_000n }),
  feeBps: fc.bigInt({ min: 1n, max: 100n }),
  gas: fc.bigInt({ min: 60_000n, max: 300_000n }),
  /** Deviation of the pool's rate from the market, in basis points. */
  off: fc.bigInt({ min: -100n, max: 100n }),
});

const aShare = fc.record({
  chain: fc.constantFrom(...CHAINS),
  ppm: fc.array(fc.bigInt({ min: 1n, max: 12_500n }), { minLength: 1, maxLength: 2 }),
});

/**
 * Terms of a random market, and of one route in it: bought or deposited, over up to three chains, converted on each of
 * them or not.
 */
export const someTerms = fc.record({
  /** Price of each symbol; at most 0.001 dollars for a smallest unit. */
  prices: fc.tuple(aPrice(10n ** 4n, 10n ** 11n), aPrice(10n ** 4n, 10n ** 11n)),
  decimals: fc.array(aTokenOnAChain, { minLength: 6, maxLength: 6 }),
  nativePrices: fc.tuple(...CHAINS.map(() => aPrice(10n ** 7n, 4n * 10n ** 11n))),
  gasPrices: fc.tuple(...CHAINS.map(() => fc.bigInt({ min: 10n ** 6n, max: 10n ** 10n }))),
  pools: fc.tuple(...CHAINS.map(() => aPool)),
  bridge: fc.record({
    bps: fc.bigInt({ min: 0n, max: 50n }),
    /** In cents. */
    flat: fc.bigInt({ min: 0n, max: 200n }),
  }),
  fiat: fc.record({
    decimals: fc.constantFrom(0, 2, 3),
    price: aPrice(10n ** 6n, 2n * 10n ** 8n),
    bps: fc.bigInt({ min: 0n, max: 500n }),
    flat: fc.bigInt({ min: 0n, max: 300n }),
    roundsFees: fc.constant<boolean>(true),
  }),
  slippageBps: fc.constantFrom(0, 50, 300),
  share: fc.option(aShare, { nil: null, freq: 2 }),
  isBought: fc.boolean(),
  start: fc.constantFrom(...SYMBOLS),
  conversions: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  /** Given value in cents. */
  value: fc.bigInt({ min: 500n, max: 20_000_000n }),
});
type Terms = typeof someTerms extends fc.Arbitrary<infer T> ? T : never;

const other = (symbol: TokenSymbol): TokenSymbol => (symbol === '1' ? '2' : '1');

/** One leg per entry, on consecutive chains; true converts. */
function legsOf({ start, conversions }: Terms): RouteLeg[] {
  let symbol = start;
  return conversions.map((converts, index) => {
    const [chain = '', next] = [CHAINS[index], CHAINS[index + 1]];
    const inputToken = tokenOn(chain, symbol);
    if (converts) symbol = other(symbol);
    const outputToken = tokenOn(chain, symbol);
    const isLast = index === conversions.length - 1;
    const lane: BridgeLane | null =
      isLast || next === undefined
        ? null
        : { bridge: 'bridge', inputToken: outputToken, outputToken: tokenOn(next, symbol) };
    return { chain, inputToken, outputToken, lane };
  });
}

function assetsOf({ decimals, fiat }: Terms): Map<string, KnownAsset> {
  const tokens = CHAINS.flatMap((chain, index) => [
    ...SYMBOLS.map((symbol, i) => ({
      ...{ kind: 'token' as const, id: tokenOn(chain, symbol), symbol, chain },
      decimals: decimals[index * 2 + i] ?? 18,
    })),
    { kind: 'token' as const, id: nativeOf(chain), symbol: 'N', chain, decimals: 18 },
  ]);
  const currency = { kind: 'fiat' as const, id: 'fia', symbol: 'FIA', decimals: fiat.decimals };
  return new Map([currency, ...tokens].map((asset) => [asset.id, asset]));
}

function pricesOf({ prices, nativePrices, fiat }: Terms): PriceBook {
  const [first, second] = prices;
  return PriceBook.in(
    'usd',
    new Map([
      ['usd', parseDecimal('1')],
      ['fia', fiat.price],
      ...CHAINS.flatMap((chain, index): [string, typeof first][] => [
        [tokenOn(chain, '1'), first],
        [tokenOn(chain, '2'), second],
        [nativeOf(chain), nativePrices[index] ?? first],
      ]),
    ]),
  );
}

function sharesOf({ share, conversions }: Terms): RevenueShare | null {
  if (!share || !CHAINS.slice(0, conversions.length).includes(share.chain)) return null;
  const receivers = share.ppm.map((ppm, index) => ({ receiver: `0x${index}`, ppm }));
  return new Map([[share.chain, receivers]]);
}

export interface Market {
  route: Route;
  context: RequestContext;
  input: { asset: string; symbol: string; decimals: number; units: bigint };
  quoter: RouteQuoterService;
  venue: SimulatedVenue;
  bridge: SimulatedBridge;
  onramp: SimulatedOnramp;
}

export function marketOf(
  terms: Terms,
  settings: Partial<QuoteConfig> = {},
  gasSource: Pick<Partial<GasPricesService>, 'of'> = {},
): Market {
  const assets = assetsOf(terms);
  const prices = pricesOf(terms);
  const legs = legsOf(terms);
  const decimalsOf = (id: string): number => assets.get(id)?.decimals ?? 0;
  const centsWorth = (id: string, cents: bigint): bigint =>
    unitsOf(decimal(cents, 2), decimalsOf(id), prices.priceOf(id), 'up');
  const unitsWorth = (id: string, usd: bigint): bigint => centsWorth(id, usd * 100n);
  const pools = CHAINS.map((chain, index): [string, Pool] => {
    const { depth = 0n, feeBps = 0n, gas = 0n, off = 0n } = terms.pools[index] ?? {};
    const [one, two] = [tokenOn(chain, '1'), tokenOn(chain, '2')];
    const tilted = (unitsWorth(two, depth * 1_000n) * (10_000n + off)) / 10_000n;
    const reserves = new Map([
      [one, unitsWorth(one, depth * 1_000n)],
      [two, tilted],
    ]);
    return [chain, { reserves, feeBps, gas }];
  });
  const venue = new SimulatedVenue(new Map(pools));
  const bridge = new SimulatedBridge({
    bps: terms.bridge.bps,
    flatOf: (id) => centsWorth(id, terms.bridge.flat),
    decimalsOf,
  });
  const onramp = new SimulatedOnramp({
    fees: terms.fiat,
    fiatDecimals: terms.fiat.decimals,
    unitsPerFiat: (token) =>
      convert(
        ...([10n ** 18n, terms.fiat.decimals, terms.fiat.price] as const),
        ...([decimalsOf(token), prices.priceOf(token), 'down'] as const),
      ),
  });
  const deposit = legs[0]?.inputToken ?? tokenOn('alphanet', terms.start);
  const ramp: Ramp = {
    ...{ provider: 'ramp', method: 'SEPA', fiat: 'fia', token: deposit, places: [] },
    limits: {},
  };
  const asset = terms.isBought ? 'fia' : deposit;
  return {
    route: { ramp: terms.isBought ? ramp : null, legs },
    input: {
      asset,
      symbol: asset,
      decimals: decimalsOf(asset),
      units: centsWorth(asset, terms.value),
    },
    ...{ venue, bridge, onramp },
    context: {
      ...{
        assets,
        prices,
        customer: {},
        places: [],
        countryRules: DEFAULT_COUNTRY_RULES,
        caches: sourceCaches(),
      },
      ...{
        allowsPriceImpact: false,
        maxFeeBps: 5_000,
        customActions: null,
        maxInputUsd: null,
        slippageBps: terms.slippageBps,
      },
      revenueShare: sharesOf(terms),
    },
    quoter: quoterOf(terms, { venue, bridge, onramp }, settings, gasSource),
  };
}

type Sources = Pick<Market, 'venue' | 'bridge' | 'onramp'>;

/** The services that quote routes, on simulated sources. */
function quoterOf(
  { gasPrices }: Terms,
  { venue, bridge, onramp }: Sources,
  settings: Partial<QuoteConfig>,
  gasSource: Pick<Partial<GasPricesService>, 'of'>,
): RouteQuoterService {
  const config: Partial<QuoteConfig> = {
    ...{ chainTimeoutMs: 60_000, providerTimeoutMs: 60_000, routeTimeoutMs: 60_000 },
    maxPriceImpactBps: 1_000,
    ...settings,
  };
  const metrics: Partial<QuoteMetricsService> = {
    timeRequest: (_provider, _question, ask) => ask(),
  };
  const gas: Partial<GasPricesService> = {
    of: async ({ name }) => gasPrices[CHAINS.indexOf(name)] ?? 0n,
    dataFee: async () => 0n,
    ...gasSource,
  };
  const coverage: Partial<CoverageService> = { recheckChain: () => undefined };
  const allConfig = config as QuoteConfig;
  const allMetrics = metrics as QuoteMetricsService;
  const gasOf = gas as GasPricesService;
  const provider: Partial<OnrampProvider> = onramp;
  const onramps = new Map([[onramp.name, provider as OnrampProvider]]);
  const carrier: Partial<Bridge> = bridge;
  const carriers = new Map([[bridge.name, carrier as Bridge]]);
  const bridges = new BridgeQuoterService(carriers, allConfig, allMetrics);
  const fees = new NetworkFeesService(chains, bridges, gasOf);
  const legs = new LegQuoterService(
    chains,
    new VenueQuoterService(
      [venue],
      nothingPaused as SwitchesService,
      nothingRated as VenueRatingsService,
    ),
    bridges,
    fees,
    coverage as CoverageService,
    allConfig,
  );
  return new RouteQuoterService(
    new OnrampQuoterService(onramps, allConfig, allMetrics),
    legs,
    new ExactOutputService(legs, new InputEstimatorService(legs), allConfig),
    new InputLimitsService(fees, allConfig),
    log,
    allConfig,
  );
}

export const addressesOf = ({ inputToken, outputToken }: RouteLeg) => ({
  inputToken: parseTokenIdentifier(inputToken).address,
  outputToken: parseTokenIdentifier(outputToken).address,
});
