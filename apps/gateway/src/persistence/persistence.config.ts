import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { ApiKeyEntity } from './api-key.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { CountryRulesEntity } from './country-rules.entity.js';
import { KeySetEntity } from './key-set.entity.js';
import { AddCountryRules1799000000010 } from './migrations/add-country-rules.migration.js';
import { AddQuotas1799100000000 } from './migrations/add-quotas.migration.js';
import { AddSwitches1799700000000 } from './migrations/add-switches.migration.js';
import { AddTestOrganisations1799100000045 } from './migrations/add-test-organisations.migration.js';
import { ConfigureOrganisations1797400000000 } from './migrations/configure-organisations.migration.js';
import { CreateGateway1763720000000 } from './migrations/create-gateway.migration.js';
import { LimitOrganisations1799000000020 } from './migrations/limit-organisations.migration.js';
import { OpenFeatures1797500000000 } from './migrations/open-features.migration.js';
import { OrganisationEntity } from './organisation.entity.js';
import { RevenueShareEntity } from './revenue-share.entity.js';
import { SwitchesEntity } from './switches.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  OrganisationEntity,
  KeySetEntity,
  ApiKeyEntity,
  RevenueShareEntity,
  CountryRulesEntity,
  SwitchesEntity,
  AuditEntryEntity,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateGateway1763720000000,
  ConfigureOrganisations1797400000000,
  OpenFeatures1797500000000,
  AddCountryRules1799000000010,
  LimitOrganisations1799000000020,
  AddQuotas1799100000000,
  AddTestOrganisations1799100000045,
  AddSwitches1799700000000,
];
