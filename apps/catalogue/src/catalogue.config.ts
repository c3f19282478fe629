import { AmountError } from '@bascule/amounts';
import { parseChainsConfig, type ChainsConfig } from '@bascule/chain';
import { httpEnv, type HttpConfig } from '@bascule/http';
import { parseKafkaConfig, type KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv, type DatabaseConfig } from '@bascule/persistence';
import {
  collectProblems,
  integer,
  makeValidator,
  milliseconds,
  parseConfig,
  printedAs,
  str,
} from '@bascule/process';
import type { AssetScope } from './assets/asset-filter.js';
import { defaultFiatRates } from './prices/data/default-fiat-rates.js';
import { fiatRates, type FiatRates } from './prices/fiat-rates.js';

const rates = makeValidator<FiatRates>((input) => {
  const table: unknown = JSON.parse(input);
  if (typeof table !== 'object' || table === null) throw new Error('expected {"eur":"1.16",…}');
  try {
    return fiatRates(
      Object.fromEntries(Object.entries(table).map(([code, rate]) => [code, String(rate)])),
    );
  } catch (error) {
    throw error instanceof AmountError ? new Error(error.message, { cause: error }) : error;
  }
});

const catalogueEnv = {
  ...httpEnv,
  ...databaseEnv,
  ASSET_SCOPE: str({
    choices: ['all', 'sandbox', 'live'] as AssetScope[],
    default: 'all',
    desc: 'what is shown to a request that does not say `sandbox`',
  }),
  PRICE_INTERVAL_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'how often prices are observed',
  }),
  PRICE_MAX_AGE_MS: integer({ min: 1, default: 120_000, desc: 'older prices count as missing' }),
  FIAT_RATES: rates({
    default: fiatRates(defaultFiatRates),
    desc: 'US dollars per unit of each fiat currency, JSON',
  }),
};

export interface CatalogueConfig extends HttpConfig {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly assetScope: AssetScope;
  readonly observePricesEveryMs: number;
  readonly priceMaxAgeMs: number;
  /** A price that stands still is published again before anyone's projection of it grows stale. */
  readonly republishPricesAfterMs: number;
  readonly fiatRates: FiatRates;
}

export const CATALOGUE_CONFIG = Symbol('CATALOGUE_CONFIG');
export const CATALOGUE_SCHEMA = 'catalogue';

/** @throws ConfigurationError with every problem of the environment */
export function parseCatalogueConfig(env: NodeJS.ProcessEnv): CatalogueConfig {
  const { own, chains, kafka } = collectProblems({
    own: () => parseConfig(env, catalogueEnv),
    chains: () => parseChainsConfig(env),
    kafka: () => parseKafkaConfig(env),
  });
  return printedAs(own, {
    ...own,
    database: databaseConfig(own, CATALOGUE_SCHEMA),
    chains,
    kafka,
    assetScope: own.ASSET_SCOPE,
    observePricesEveryMs: own.PRICE_INTERVAL_MS,
    priceMaxAgeMs: own.PRICE_MAX_AGE_MS,
    republishPricesAfterMs: own.PRICE_MAX_AGE_MS / 4,
    fiatRates: own.FIAT_RATES,
  });
}
