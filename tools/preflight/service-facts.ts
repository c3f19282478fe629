import type { ChainsConfig } from '@bascule/chain';
import type { PrivateKey } from '@bascule/identity';
import type { KafkaConfig } from '@bascule/messaging';
import type { DatabaseConfig, MigrationClass } from '@bascule/persistence';
import { parseConfig, secret } from '@bascule/process';
import type { SealingKey } from '@bascule/sealed-tokens';
import type { HttpConfig } from '@bascule/service-host';
import type { SignersConfig } from '@bascule/signers';
import type { AggregatorsConfig, BridgesConfig } from '@bascule/venues';
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

interface PartyConfigs {
  bridges: BridgesConfig;
  aggregators: AggregatorsConfig;
}

/** Secrets that are shared with other parties, and those by which onramps sign their callbacks. */
export const partySecrets = (
  env: NodeJS.ProcessEnv,
  { bridges, aggregators }: PartyConfigs,
): readonly Secret[] => [
  ...providerSecrets(env),
  ...apiKeys('BRIDGES', bridges),
  ...apiKeys('AGGREGATORS', aggregators),
];

const apiKeys = (
  variable: string,
  parties: readonly { name: string; apiKey?: string | undefined }[],
): readonly Secret[] =>
  parties.flatMap(({ name, apiKey }) =>
    apiKey === undefined ? [] : [textSecret(`${variable} (api_key of ${name})`, apiKey)],
  );

/** Reads the secrets of each entry: only its adapter knows most of them otherwise. */
function providerSecrets(env: NodeJS.ProcessEnv): readonly Secret[] {
  const { PROVIDERS: text } = parseConfig(env, { PROVIDERS: secret() });
  const entries = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
  return entries.flatMap((entry) =>
    secretFields(entry).flatMap((field) => {
      const { name, [field]: value } = entry;
      return typeof name === 'string' && typeof value === 'string'
        ? [textSecret(`PROVIDERS (${field} of ${name})`, value)]
        : [];
    }),
  );
}

/** Fields that hold secrets, of any adapter; beside a secret, `api_key` is a public name of it. */
const secretFields = (entry: object): readonly string[] => [
  ...('api_secret' in entry || 'secret_key' in entry ? ['api_secret', 'secret_key'] : ['api_key']),
  'callback_secret',
];

const textSecret = (variable: string, value: string): Secret => ({ variable, kind: 'text', value });

/** Keys of one variable of a service. */
export const keysOf = (
  signers: SignersConfig,
  use: KeyUse,
  variable: string,
  locations: readonly string[],
  isRetired = false,
): ServiceKeys => ({ use, variable, locations, isRetired, signers });
