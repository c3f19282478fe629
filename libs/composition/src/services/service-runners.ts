import { attesterService } from '@bascule/attester';
import { catalogueService } from '@bascule/catalogue';
import { gatewayService } from '@bascule/gateway';
import {
  startService,
  type HttpConfig,
  type RunningService,
  type ServiceDefinition,
} from '@bascule/service-host';
import { paymentService } from '@bascule/payment';
import { quoteService } from '@bascule/quote';
import { sandboxProviderService } from '@bascule/sandbox-provider';
import { solverService } from '@bascule/solver';
import { webhookDispatchService } from '@bascule/webhook-dispatch';
import { withdrawalService } from '@bascule/withdrawal';
import type { LocalServers } from '../servers/local-servers.js';
import type { ServiceName, Settings } from '../settings/settings.config.js';
import { attesterEnvironments, type Environments } from './service-environments.js';

/** A service of the stack, whatever its configuration looks like. */
export interface ServiceRunner {
  name: ServiceName;
  migrate(environment: NodeJS.ProcessEnv): Promise<void>;
  start(environment: NodeJS.ProcessEnv): Promise<RunningService>;
}

/** Start order: publishers before consumers. */
export const serviceRunners: readonly ServiceRunner[] = [
  serviceRunner('catalogue', catalogueService),
  serviceRunner('sandbox-provider', sandboxProviderService),
  serviceRunner('solver', solverService),
  serviceRunner('quote', quoteService),
  serviceRunner('payment', paymentService),
  serviceRunner('withdrawal', withdrawalService),
  serviceRunner('webhook-dispatch', webhookDispatchService),
  serviceRunner('gateway', gatewayService),
];

function serviceRunner<C extends HttpConfig>(
  name: ServiceName,
  definition: ServiceDefinition<C>,
): ServiceRunner {
  return {
    name,
    migrate: async (environment) => {
      await definition.migrate?.(definition.parseConfig(environment));
    },
    start: (environment) => startService(definition, environment),
  };
}

export async function migrateAll(environments: Environments): Promise<void> {
  await Promise.all(serviceRunners.map((member) => member.migrate(environments[member.name])));
}

/** Starts the attesters in this process, each with its own key and port. */
export const startAttesters = (
  settings: Settings,
  servers: LocalServers,
): Promise<RunningService[]> =>
  Promise.all(
    attesterEnvironments(settings, servers).map((environment) =>
      startService(attesterService, environment),
    ),
  );
