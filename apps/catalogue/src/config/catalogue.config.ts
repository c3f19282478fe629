import { ASSET_SCOPES, defaultAssetScope, type AssetScope } from '@bascule/contracts';
import { parseChainsConfig, type ChainsConfig } from '@bascule/chain';
import { geolocationEnv, type GeolocationConfig } from '@bascule/geolocation';
import { httpEnv, type HttpConfig } from '@bascule/service-host';
import { parseKafkaConfig, type KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv, type DatabaseConfig } from '@bascule/persistence';
import { collectProblems, parseConfig, freezeConfig, str } from '@bascule/process';
import { pricesConfig, pricesEnv, type PricesConfig } from './prices.config.js';

const catalogueEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...geolocationEnv,
  ASSET_SCOPE: str({
    choices: ASSET_SCOPES,
    default: undefined,
    desc: 'assets shown to a live key without `sandbox`; by default live ones, where there are any',
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
    assetScope:
      own.ASSET_SCOPE ?? defaultAssetScope(chains.chains.map(({ definition }) => definition)),
    prices: pricesConfig(own, chains),
  });
}
