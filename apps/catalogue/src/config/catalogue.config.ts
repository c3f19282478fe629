import { parseChainsConfig, type ChainsConfig } from '@bascule/chain';
import { geolocationEnv, type GeolocationConfig } from '@bascule/geolocation';
import { httpEnv, type HttpConfig } from '@bascule/service-host';
import { parseKafkaConfig, type KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv, type DatabaseConfig } from '@bascule/persistence';
import { collectProblems, parseConfig, freezeConfig, str } from '@bascule/process';
import type { AssetScope } from '../assets/asset-filter.js';
import { pricesConfig, pricesEnv, type PricesConfig } from './prices.config.js';

const catalogueEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...geolocationEnv,
  ASSET_SCOPE: str({
    choices: ['all', 'sandbox', 'live'] as AssetScope[],
    default: 'all',
    desc: 'assets shown to a request without `sandbox`',
  }),
  ...pricesEnv,
};

export interface CatalogueConfig extends HttpConfig, GeolocationConfig {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly assetScope: AssetScope;
  readonly prices: PricesConfig;
}

export const CATALOGUE_CONFIG = Symbol('CATALOGUE_CONFIG');
export const CATALOGUE_SCHEMA = 'catalogue';

/** @throws ConfigurationError that lists every problem of the environment */
export function parseCatalogueConfig(env: NodeJS.ProcessEnv): CatalogueConfig {
  const { own, chains, kafka } = collectProblems({
    own: () => parseConfig(env, catalogueEnv),
    chains: () => parseChainsConfig(env),
    kafka: () => parseKafkaConfig(env),
  });
  return freezeConfig(own, {
    ...own,
    database: databaseConfig(own, CATALOGUE_SCHEMA),
    chains,
    kafka,
    assetScope: own.ASSET_SCOPE,
    prices: pricesConfig(own, chains),
  });
}
