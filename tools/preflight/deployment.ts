import type { ChainsConfig } from '@bascule/chain';
import type { KafkaConfig } from '@bascule/messaging';
import type { DatabaseConfig, MigrationClass } from '@bascule/persistence';
import type { ProvidersConfig } from '@bascule/providers';
import type { ScreeningConfig } from '@bascule/screening';
import type { SignersConfig } from '@bascule/signers';
import type { DeploymentSettings } from '@bascule/solidity';
import type { AggregatorsConfig, BridgesConfig } from '@bascule/venues';
import type { Address } from 'viem';
import type { KeyRing } from './key-ring.js';

/** Use of a key; no key has two. */
export type KeyUse = 'executor' | 'relayer' | 'solver' | 'attester';

/** Keys of one variable, by their locations. */
export interface ServiceKeys {
  use: KeyUse;
  variable: string;
  locations: readonly string[];
  /** Only finishes what was reserved for it. */
  isRetired: boolean;
  signers: SignersConfig;
}

/** A secret of a service; `bytes` are random ones, `text` is what a person or another party chose. */
export interface Secret {
  variable: string;
  kind: 'bytes' | 'text';
  value: string;
}

/** Key of the public half, and the ids of the keys that a service accepts or uses. */
export interface SigningPair {
  name: 'internal tokens' | 'funding links';
  role: 'signs' | 'verifies';
  /** `kid x` of each key. */
  keys: readonly string[];
}

/** Configuration of a service, as far as checks read it. */
export interface ServiceFacts {
  environment: string;
  schema?: string;
  migrations?: readonly MigrationClass[];
  database?: DatabaseConfig;
  /** Whether it publishes or consumes events. */
  hasEvents: boolean;
  kafka?: KafkaConfig | undefined;
  chains?: ChainsConfig;
  providers?: ProvidersConfig;
  bridges?: BridgesConfig;
  aggregators?: AggregatorsConfig;
  attesterUrls?: readonly string[];
  screening?: ScreeningConfig;
  keys: readonly ServiceKeys[];
  secrets: readonly Secret[];
  signingPairs: readonly SigningPair[];
  /** First sealing key (`kid k`) and all keys of state tokens. */
  stateTokenKeys?: readonly string[];
  /** Tokens by chain that the solver delivers, with the least amount of an order. */
  inventory?: readonly { tokens: ReadonlyMap<string, Address>; minAmount: bigint }[];
  feeReceiver?: Address;
  /** Settings for development only, by variable. */
  developmentSettings: Readonly<Record<string, boolean>>;
}

/** A service with its environment; `problems` where that is not valid. */
export interface Service {
  name: string;
  env: NodeJS.ProcessEnv;
  facts?: ServiceFacts;
  problems: readonly string[];
}

/** Everything that the preflight was told. */
export interface Deployment {
  services: readonly Service[];
  /** Chains of an environment without a service. */
  chainsOnly?: ChainsConfig;
  /** Settings with which the contracts were deployed. */
  contracts?: DeploymentSettings;
  /** Expected holders of keys, by `EXPECTED_…`. */
  expected: NodeJS.ProcessEnv;
  /** Least balances in wei, by name of the chain, where the operator named them. */
  leastBalances: ReadonlyMap<string, bigint>;
  keyRing: KeyRing;
  /** Longest time of one request to a node. */
  nodeTimeoutMs: number;
}

/** Services whose environment is valid, with their facts. */
export const validServices = ({
  services,
}: Pick<Deployment, 'services'>): readonly (Service & { facts: ServiceFacts })[] =>
  services.flatMap((service) =>
    service.facts === undefined ? [] : [{ ...service, facts: service.facts }],
  );
