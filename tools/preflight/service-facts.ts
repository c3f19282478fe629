import type { ChainsConfig } from '@bascule/chain';
import type { PrivateKey } from '@bascule/identity';
import type { KafkaConfig } from '@bascule/messaging';
import type { DatabaseConfig, MigrationClass } from '@bascule/persistence';
import { parseConfig, secret } from '@bascule/process';
import type { SealingKey } from '@bascule/sealed-tokens';
import type { HttpConfig } from '@bascule/service-host';
import type { SignersConfig } from '@bascule/signers';
import type { BridgesConfig } from '@bascule/venues';
import type { KeyUse, Secret, ServiceFacts, ServiceKeys, SigningPair } from './deployment.js';

interface CommonConfig extends HttpConfig {
  database?: DatabaseConfig;
  kafka?: KafkaConfig | undefined;
  chains?: ChainsConfig;
}

/** Facts that services have in common. */
export function commonFacts(
  config: CommonConfig,
  migrations?: readonly MigrationClass[],
): ServiceFacts {
  const { database, chains, INTERNAL_TOKEN_PUBLIC_KEYS: internal } = config;
  return {
    environment: config.ENVIRONMENT,
    ...(database && { database, schema: database.schema }),
    ...(migrations && { migrations }),
    hasEvents: 'kafka' in config,
    kafka: config.kafka,
    ...(chains && { chains }),
    keys: [],
    secrets: [],
    signingPairs: internal
      ? [signingPair('internal tokens', 'verifies', internal.current.keys)]
      : [],
    developmentSettings: {},
  };
}

export const signingPair = (
  name: SigningPair['name'],
  role: SigningPair['role'],
  keys: Iterable<Pick<PrivateKey, 'kid' | 'x'>>,
): SigningPair => ({ name, role, keys: [...keys].map(({ kid, x }) => `${kid} ${x}`) });

export const stateTokens = (
  keys: readonly SealingKey[],
): { stateTokenKeys: readonly string[] } => ({
  stateTokenKeys: keys.map(({ kid, k }) => `${kid} ${k}`),
});

export const sealingSecrets = (variable: string, keys: readonly SealingKey[]): readonly Secret[] =>
  keys.map(({ kid, k }) => ({ variable: `${variable} (${kid})`, kind: 'bytes', value: k }));

/** Secrets that are shared with solvers, and those by which onramps sign their callbacks. */
export const partySecrets = (env: NodeJS.ProcessEnv, bridges: BridgesConfig): readonly Secret[] => [
  ...callbackSecrets(env),
  ...bridges.map(({ name, apiKey }) => ({
    variable: `BRIDGES (api_key of ${name})`,
    kind: 'text' as const,
    value: apiKey,
  })),
];

/** Reads `callback_secret` of each entry that has one: only its adapter knows it otherwise. */
function callbackSecrets(env: NodeJS.ProcessEnv): readonly Secret[] {
  const { PROVIDERS: text } = parseConfig(env, { PROVIDERS: secret() });
  const entries = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
  return entries.flatMap(({ name, callback_secret: value }) =>
    typeof name === 'string' && typeof value === 'string'
      ? [{ variable: `PROVIDERS (callback_secret of ${name})`, kind: 'text', value }]
      : [],
  );
}

/** Keys of one variable of a service. */
export const keysOf = (
  signers: SignersConfig,
  use: KeyUse,
  variable: string,
  locations: readonly string[],
  isRetired = false,
): ServiceKeys => ({ use, variable, locations, isRetired, signers });
