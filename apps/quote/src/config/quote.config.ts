import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { ASSET_SCOPES, defaultAssetScope, type AssetScope } from '@bascule/contracts';
import { geolocationEnv } from '@bascule/geolocation';
import type { GeolocationConfig } from '@bascule/geolocation';
import { httpEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { eventEnv, parseKafkaConfig } from '@bascule/messaging';
import type { EventConfig, KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  ConfigurationError,
  basisPoints,
  collectProblems,
  integer,
  makeValidator,
  milliseconds,
  parseConfig,
  freezeConfig,
  str,
} from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import { providersEnv } from '@bascule/providers';
import type { ProvidersConfig } from '@bascule/providers';
import { sealedTokenEnv } from '@bascule/sealed-tokens';
import type { SealingKey } from '@bascule/sealed-tokens';
import { aggregatorsEnv, bridgesEnv, tooSlowAggregators } from '@bascule/venues';
import type { AggregatorsConfig, BridgesConfig } from '@bascule/venues';
import { getAddress, isAddress, type Address } from 'viem';
import { parseEdgeRules, type EdgeRule } from '../routes/edge-rules.js';

const address = makeValidator<Address>((input) => {
  if (!isAddress(input)) throw new Error('expected an address');
  return getAddress(input);
});

const quoteEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...eventEnv,
  ...providersEnv,
  ...bridgesEnv,
  ...aggregatorsEnv,
  ...sealedTokenEnv,
  ...geolocationEnv,
  FEE_RECEIVER: address({ desc: 'receiver of network fees on every chain' }),
  QUOTE_VALIDITY_SECONDS: integer({
    min: 1,
    default: 300,
    desc: 'validity of a quote until its accept_by',
  }),
  SLIPPAGE_BPS: basisPoints({
    default: 50,
    desc: 'tolerated shortfall of each onramp, conversion and bridge, in basis points',
  }),
  UNSAFE_SLIPPAGE_BPS: basisPoints({
    default: 300,
    desc: 'tolerated shortfall with allow_unsafe_slippage, in basis points',
  }),
  MAX_PRICE_IMPACT_BPS: basisPoints({
    default: 1_000,
    desc: 'maximum difference between input and output value of a conversion or bridge, in basis points',
  }),
  MAX_FEE_SHARE_BPS: integer({
    min: 1,
    max: 10_000,
    default: 5_000,
    desc: 'largest share of the input value that fees may take, in basis points',
  }),
  MAX_INPUT_USD: integer({
    min: 1,
    default: 5_000_000,
    desc: 'largest input value of one payment in US dollars, except with allow_exceed_max_input_limit',
  }),
  MAX_CUSTOM_ACTION_GAS: integer({
    min: 0,
    default: 3_000_000,
    desc: 'largest user_estimated_gas of custom actions',
  }),
  SURPLUS_BPS: basisPoints({
    default: 500,
    desc: 'surplus over the quoted delivery of an onramp or bridge that is still processed, in basis points',
  }),
  PRICE_MAX_AGE_MS: integer({
    min: 1,
    default: 120_000,
    desc: 'maximum age of a price; older ones count as missing',
  }),
  PROVIDER_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 3_000,
    desc: 'timeout of one request to an onramp or bridge',
  }),
  CHAIN_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 5_000,
    desc: 'timeout of all RPC requests of one leg to its chain',
  }),
  ROUTE_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 15_000,
    desc: 'timeout of one route, all rounds of a fixed output included',
  }),
  COVERAGE_TTL_MS: integer({
    min: 0,
    default: 60_000,
    desc: 'TTL of the coverage of providers and bridges',
  }),
  CONVERSIONS_TTL_MS: integer({
    min: 0,
    default: 600_000,
    desc: 'TTL of the conversions of a chain',
  }),
  EDGE_RULES: makeValidator<readonly EdgeRule[]>(parseEdgeRules)({
    default: [],
    desc: 'restrictions of routing edges to features and organisations, JSON',
  }),
  ASSET_SCOPE: str({
    choices: ASSET_SCOPES,
    default: undefined,
    desc: 'chains and providers that live keys use: all, sandbox (test chains, sandbox providers), live; by default live, where there are live chains',
  }),
};

export interface QuoteConfig extends HttpConfig, EventConfig, GeolocationConfig {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly providers: ProvidersConfig;
  readonly bridges: BridgesConfig;
  readonly aggregators: AggregatorsConfig;
  readonly sealingKeys: Reloadable<readonly SealingKey[]>;
  readonly feeReceiver: Address;
  readonly validityMs: number;
  readonly slippageBps: number;
  readonly unsafeSlippageBps: number;
  readonly maxPriceImpactBps: number;
  readonly maxFeeShareBps: number;
  readonly maxInputUsd: number;
  readonly maxActionGas: bigint;
  readonly surplusBps: number;
  readonly priceMaxAgeMs: number;
  readonly providerTimeoutMs: number;
  readonly chainTimeoutMs: number;
  readonly routeTimeoutMs: number;
  readonly coverageTtlMs: number;
  readonly conversionsTtlMs: number;
  readonly edgeRules: readonly EdgeRule[];
  readonly assetScope: AssetScope;
}

export const QUOTE_CONFIG = Symbol('QUOTE_CONFIG');
export const QUOTE_SCHEMA = 'quote';

/** @throws ConfigurationError with every problem of the environment */
export function parseQuoteConfig(env: NodeJS.ProcessEnv): QuoteConfig {
  const { own, chains, kafka } = collectProblems({
    own: () => parseConfig(env, quoteEnv),
    chains: () => parseChainsConfig(env),
    kafka: () => parseKafkaConfig(env),
  });
  requireQuickAggregators(own);
  return freezeConfig(own, {
    ...own,
    database: databaseConfig(own, QUOTE_SCHEMA),
    chains,
    kafka,
    providers: own.PROVIDERS,
    bridges: own.BRIDGES,
    aggregators: own.AGGREGATORS,
    sealingKeys: own.STATE_TOKEN_KEYS,
    feeReceiver: own.FEE_RECEIVER,
    validityMs: own.QUOTE_VALIDITY_SECONDS * 1_000,
    slippageBps: own.SLIPPAGE_BPS,
    unsafeSlippageBps: own.UNSAFE_SLIPPAGE_BPS,
    maxPriceImpactBps: own.MAX_PRICE_IMPACT_BPS,
    maxFeeShareBps: own.MAX_FEE_SHARE_BPS,
    maxInputUsd: own.MAX_INPUT_USD,
    maxActionGas: BigInt(own.MAX_CUSTOM_ACTION_GAS),
    surplusBps: own.SURPLUS_BPS,
    priceMaxAgeMs: own.PRICE_MAX_AGE_MS,
    providerTimeoutMs: own.PROVIDER_TIMEOUT_MS,
    chainTimeoutMs: own.CHAIN_TIMEOUT_MS,
    routeTimeoutMs: own.ROUTE_TIMEOUT_MS,
    coverageTtlMs: own.COVERAGE_TTL_MS,
    conversionsTtlMs: own.CONVERSIONS_TTL_MS,
    edgeRules: own.EDGE_RULES,
    assetScope:
      own.ASSET_SCOPE ?? defaultAssetScope(chains.chains.map(({ definition }) => definition)),
  });
}

/** Requires that no aggregator holds up the quotes of other venues until the chain times out. */
function requireQuickAggregators(
  own: Record<'AGGREGATORS', AggregatorsConfig> & Record<'CHAIN_TIMEOUT_MS', number>,
): void {
  const slow = tooSlowAggregators(own.AGGREGATORS, own.CHAIN_TIMEOUT_MS);
  if (slow.length === 0) return;
  throw new ConfigurationError([
    `AGGREGATORS: expected timeout_ms of ${slow.join(', ')} at most a third of CHAIN_TIMEOUT_MS`,
  ]);
}
