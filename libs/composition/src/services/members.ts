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
import type { Environments } from './service-environments.js';
import type { ServiceName } from '../settings/settings.config.js';

/** A service of the stack, whatever its configuration looks like. */
export interface Member {
  name: ServiceName;
  migrate(environment: NodeJS.ProcessEnv): Promise<void>;
  start(environment: NodeJS.ProcessEnv): Promise<RunningService>;
}

/** In the order in which they start: who publishes comes before who listens. */
export const members: readonly Member[] = [
  member('catalogue', catalogueService),
  member('sandbox-provider', sandboxProviderService),
  member('solver', solverService),
  member('quote', quoteService),
  member('payment', paymentService),
  member('withdrawal', withdrawalService),
  member('webhook-dispatch', webhookDispatchService),
  member('gateway', gatewayService),
];

function member<C extends HttpConfig>(name: ServiceName, definition: ServiceDefinition<C>): Member {
  return {
    name,
    migrate: async (environment) => {
      await definition.migrate?.(definition.parseConfig(environment));
    },
    start: (environment) => startService(definition, environment),
  };
}

export async function migrateAll(environments: Environments): Promise<void> {
  await Promise.all(members.map((member) => member.migrate(environments[member.name])));
}
