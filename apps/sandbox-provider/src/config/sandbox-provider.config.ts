import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  collectProblems,
  makeValidator,
  parseConfig,
  freezeConfig,
  sensitive,
  url,
} from '@bascule/process';
import { parseSimulatedProviders } from '../providers/simulated-provider.js';
import type { SimulatedProvider } from '../providers/simulated-provider.js';

export interface SandboxProviderConfig extends HttpConfig {
  database: DatabaseConfig;
  chains: ChainsConfig;
  providers: readonly SimulatedProvider[];
  /** Base URL of checkout links; the server's own address when unset. */
  publicUrl: string | undefined;
}

const env = {
  ...serverEnv,
  ...databaseEnv,
  SANDBOX_PROVIDERS: sensitive(
    makeValidator<readonly SimulatedProvider[]>(parseSimulatedProviders)({
      desc: 'JSON array of {name, api_key, wallet_private_key, callback_url?, callback_secret}',
    }),
  ),
  SANDBOX_PUBLIC_URL: url({ default: undefined, desc: 'base URL of checkout links' }),
};

/** @throws ConfigurationError with every problem of the environment */
export function parseSandboxProviderConfig(environment: NodeJS.ProcessEnv): SandboxProviderConfig {
  const { parsed, chains } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
  });
  return freezeConfig(parsed, {
    ...parsed,
    database: databaseConfig(parsed, 'sandbox_provider'),
    chains,
    providers: parsed.SANDBOX_PROVIDERS,
    publicUrl: parsed.SANDBOX_PUBLIC_URL,
  });
}
