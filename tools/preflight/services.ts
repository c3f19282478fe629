import { attesterService } from '@bascule/attester';
import { catalogueMigrations, catalogueService } from '@bascule/catalogue';
import { gatewayMigrations, gatewayService } from '@bascule/gateway';
import { paymentMigrations, paymentService } from '@bascule/payment';
import { ConfigurationError } from '@bascule/process';
import { quoteMigrations, quoteService } from '@bascule/quote';
import { sandboxProviderMigrations, sandboxProviderService } from '@bascule/sandbox-provider';
import { solverMigrations, solverService } from '@bascule/solver';
import { webhookDispatchMigrations, webhookDispatchService } from '@bascule/webhook-dispatch';
import { withdrawalMigrations, withdrawalService } from '@bascule/withdrawal';
import type { Service, ServiceFacts } from './deployment.js';
import {
  commonFacts,
  keysOf,
  partySecrets,
  sealingSecrets,
  signingPair,
  stateTokens,
} from './service-facts.js';

type Reader = (env: NodeJS.ProcessEnv) => ServiceFacts;

/** Reads the facts of each service from its environment, by its own parser. */
const READERS: Readonly<Record<string, Reader>> = {
  gateway(env) {
    const config = gatewayService.parseConfig(env);
    const internal = [config.internalTokenKey.current];
    return {
      ...commonFacts(config, gatewayMigrations),
      secrets: [
        { variable: 'INTERNAL_TOKEN_PRIVATE_KEY', kind: 'bytes', value: internal[0]?.d ?? '' },
      ],
      signingPairs: [
        signingPair('internal tokens', 'signs', internal),
        signingPair('funding links', 'verifies', config.fundingTokenKeys.current.keys),
      ],
    };
  },
  catalogue(env) {
    return commonFacts(catalogueService.parseConfig(env), catalogueMigrations);
  },
  quote(env) {
    const config = quoteService.parseConfig(env);
    return {
      ...commonFacts(config, quoteMigrations),
      ...stateTokens(config.sealingKeys.current),
      secrets: [
        ...sealingSecrets('STATE_TOKEN_KEYS', config.sealingKeys.current),
        ...partySecrets(env, config),
      ],
      providers: config.providers,
      bridges: config.bridges,
      aggregators: config.aggregators,
      feeReceiver: config.feeReceiver,
    };
  },
  payment(env) {
    const config = paymentService.parseConfig(env);
    const common = commonFacts(config, paymentMigrations);
    const funding = [config.fundingTokenKey.current];
    return {
      ...common,
      ...stateTokens(config.stateTokenKeys.current),
      secrets: [
        ...sealingSecrets('STATE_TOKEN_KEYS', config.stateTokenKeys.current),
        ...partySecrets(env, config),
        { variable: 'FUNDING_TOKEN_PRIVATE_KEY', kind: 'bytes', value: funding[0]?.d ?? '' },
      ],
      signingPairs: [...common.signingPairs, signingPair('funding links', 'signs', funding)],
      providers: config.providers,
      bridges: config.bridges,
      aggregators: config.aggregators,
      attesterUrls: config.attesterUrls,
      screening: config.screening,
      keys: [
        keysOf(config, 'executor', 'EXECUTOR_RETIRED_KEYS', config.executorRetiredKeys, true),
        keysOf(config, 'executor', 'EXECUTOR_PRIVATE_KEY', config.executorKeys),
      ],
    };
  },
  withdrawal(env) {
    const config = withdrawalService.parseConfig(env);
    return {
      ...commonFacts(config, withdrawalMigrations),
      ...stateTokens(config.stateTokenKeys.current),
      secrets: sealingSecrets('STATE_TOKEN_KEYS', config.stateTokenKeys.current),
      attesterUrls: config.attesterUrls,
      screening: config.screening,
      feeReceiver: config.feeReceiver,
      keys: [
        keysOf(config, 'relayer', 'RELAYER_RETIRED_KEYS', config.relayerRetiredKeys, true),
        keysOf(config, 'relayer', 'RELAYER_PRIVATE_KEY', config.relayerKeys),
      ],
    };
  },
  'webhook-dispatch'(env) {
    const config = webhookDispatchService.parseConfig(env);
    return {
      ...commonFacts(config, webhookDispatchMigrations),
      secrets: sealingSecrets('WEBHOOK_SECRET_KEYS', config.secretKeys.current),
      developmentSettings: { WEBHOOK_ALLOW_LOOPBACK: config.allowLoopback },
    };
  },
  'sandbox-provider'(env) {
    return commonFacts(sandboxProviderService.parseConfig(env), sandboxProviderMigrations);
  },
  solver(env) {
    const config = solverService.parseConfig(env);
    return {
      ...commonFacts(config, solverMigrations),
      secrets: [{ variable: 'SOLVER_API_KEY', kind: 'text', value: config.apiKey }],
      attesterUrls: config.attesterUrls,
      inventory: config.assets,
      keys: [
        keysOf(config, 'solver', 'SOLVER_RETIRED_KEYS', config.retiredKeys, true),
        keysOf(config, 'solver', 'SOLVER_PRIVATE_KEY', [config.key]),
      ],
    };
  },
  attester(env) {
    const config = attesterService.parseConfig(env);
    return {
      ...commonFacts(config),
      keys: [keysOf(config, 'attester', 'ATTESTER_PRIVATE_KEY', [config.signer])],
    };
  },
};

export const serviceNames: readonly string[] = Object.keys(READERS);

/** Service of an environment's name: several attesters are `attester-1`, `attester-2`, … */
const readerOf = (name: string): Reader | undefined =>
  READERS[name] ?? READERS[name.replace(/-\d+$/, '')];

export const isService = (name: string): boolean => readerOf(name) !== undefined;

/** Parses the environment of a service; its problems name variables, never values of secrets. */
export function describeService(name: string, env: NodeJS.ProcessEnv): Service {
  const read = readerOf(name);
  if (read === undefined) return { name, env, problems: ['is not a service'] };
  try {
    return { name, env, facts: read(env), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { name, env, problems: error.problems };
  }
}
