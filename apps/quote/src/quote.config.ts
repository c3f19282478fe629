import { parseChainsConfig } from '@bascule/chain';
import { geolocationEnv } from '@bascule/geolocation';
import { httpEnv } from '@bascule/service-host';
import { eventEnv, parseKafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import {
  basisPoints,
  collectProblems,
  integer,
  makeValidator,
  milliseconds,
  parseConfig,
  printedAs,
  str,
} from '@bascule/process';
import { providersEnv } from '@bascule/providers';
import { sealedTokenEnv } from '@bascule/sealed-tokens';
import { bridgesEnv } from '@bascule/venues';
import { ASSET_SCOPES, type QuoteConfig } from './config/quote-config.js';
import { parseEdgeRules } from './routes/parse-edge-rules.js';
import type { EdgeRule } from './routes/edge-rules.js';
import { getAddress, isAddress, type Address } from 'viem';

const address = makeValidator<Address>((input) => {
  if (!isAddress(input)) throw new Error('is not an address');
  return getAddress(input);
});

const quoteEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...eventEnv,
  ...providersEnv,
  ...bridgesEnv,
  ...sealedTokenEnv,
  ...geolocationEnv,
  FEE_RECEIVER: address({ desc: 'gets the fees that repay gas, on every chain' }),
  QUOTE_VALIDITY_SECONDS: integer({ min: 1, default: 300, desc: 'from a quote to its accept_by' }),
  SLIPPAGE_BPS: basisPoints({
    default: 50,
    desc: 'how much less than quoted each onramp, conversion and bridge may bring, in basis points',
  }),
  UNSAFE_SLIPPAGE_BPS: basisPoints({ default: 300, desc: 'the same with allow_unsafe_slippage' }),
  MAX_PRICE_IMPACT_BPS: basisPoints({
    default: 1_000,
    desc: 'how far from its input value the output value of a conversion or a bridge may be, in basis points',
  }),
  SURPLUS_BPS: basisPoints({
    default: 500,
    desc: 'how much more than quoted an onramp or a bridge may deliver, in basis points',
  }),
  PRICE_MAX_AGE_MS: integer({ min: 1, default: 120_000, desc: 'older prices count as missing' }),
  PROVIDER_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 3_000,
    desc: 'for one answer of one onramp or bridge',
  }),
  CHAIN_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 5_000,
    desc: 'for all that one leg of a route asks of its chain',
  }),
  COVERAGE_TTL_MS: integer({
    min: 0,
    default: 60_000,
    desc: 'how long what a provider sells and a bridge carries is remembered',
  }),
  CONVERSIONS_TTL_MS: integer({
    min: 0,
    default: 600_000,
    desc: 'how long what the venues of a chain convert is remembered',
  }),
  EDGE_RULES: makeValidator<readonly EdgeRule[]>(parseEdgeRules)({
    default: [],
    desc: 'edges of the routing graph that are not for everybody, JSON',
  }),
  ASSET_SCOPE: str({
    choices: ASSET_SCOPES,
    default: 'all',
    desc: 'what discovery shows without sandbox: all, sandbox (test chains only), live',
  }),
};

export const QUOTE_SCHEMA = 'quote';

/** @throws ConfigurationError with every problem of the environment */
export function parseQuoteConfig(env: NodeJS.ProcessEnv): QuoteConfig {
  const { own, chains, kafka } = collectProblems({
    own: () => parseConfig(env, quoteEnv),
    chains: () => parseChainsConfig(env),
    kafka: () => parseKafkaConfig(env),
  });
  return printedAs(own, {
    ...own,
    database: databaseConfig(own, QUOTE_SCHEMA),
    chains,
    kafka,
    providers: own.PROVIDERS,
    bridges: own.BRIDGES,
    sealingKeys: own.STATE_TOKEN_KEYS,
    feeReceiver: own.FEE_RECEIVER,
    validityMs: own.QUOTE_VALIDITY_SECONDS * 1_000,
    slippageBps: own.SLIPPAGE_BPS,
    unsafeSlippageBps: own.UNSAFE_SLIPPAGE_BPS,
    maxPriceImpactBps: own.MAX_PRICE_IMPACT_BPS,
    surplusBps: own.SURPLUS_BPS,
    priceMaxAgeMs: own.PRICE_MAX_AGE_MS,
    providerTimeoutMs: own.PROVIDER_TIMEOUT_MS,
    chainTimeoutMs: own.CHAIN_TIMEOUT_MS,
    coverageTtlMs: own.COVERAGE_TTL_MS,
    conversionsTtlMs: own.CONVERSIONS_TTL_MS,
    edgeRules: own.EDGE_RULES,
    assetScope: own.ASSET_SCOPE,
  });
}
