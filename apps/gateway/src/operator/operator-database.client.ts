import { Outbox } from '@bascule/messaging';
import { withDatabase } from '@bascule/operator-commands';
import { GATEWAY_SCHEMA } from '../config/gateway.config.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { CountryRulesService } from './country-rules.service.js';
import { SwitchesService } from './switches.service.js';
import { KeyManagementService } from './key-management.service.js';
import { OrganisationSettingsService } from './organisation-settings.service.js';

/** Opens the gateway's database for one operator command. */
export function withKeyManagement<T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (management: KeyManagementService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: GATEWAY_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(new KeyManagementService(dataSource, new AuditLogRepository(actor))),
  );
}

/** Context of a change of settings: who makes it, and where. */
interface SettingsContext {
  actor: string;
  /** Name of the deployment, without which its services refuse the event. */
  environment: string;
}

// The gateway's relay polls: the command is over before a notification would be sent.
const newOutbox = (environment: string): Outbox =>
  new Outbox({ source: GATEWAY_SCHEMA, environment }, { wake: () => undefined });

/** Opens the gateway's database for one command on the settings of organisations; a running gateway publishes them. */
export function withOrganisationSettings<T>(
  env: NodeJS.ProcessEnv,
  { actor, environment }: SettingsContext,
  work: (settings: OrganisationSettingsService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: GATEWAY_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(
      new OrganisationSettingsService(
        dataSource,
        newOutbox(environment),
        new AuditLogRepository(actor),
      ),
    ),
  );
}

/** Opens the gateway's database for one command on country rules; a running gateway publishes them. */
export function withCountryRules<T>(
  env: NodeJS.ProcessEnv,
  { actor, environment }: SettingsContext,
  work: (rules: CountryRulesService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: GATEWAY_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(
      new CountryRulesService(dataSource, newOutbox(environment), new AuditLogRepository(actor)),
    ),
  );
}

/** Opens the gateway's database for one command on the switches; a running gateway publishes them. */
export function withSwitches<T>(
  env: NodeJS.ProcessEnv,
  { actor, environment }: SettingsContext,
  work: (switches: SwitchesService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: GATEWAY_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(new SwitchesService(dataSource, newOutbox(environment), new AuditLogRepository(actor))),
  );
}
