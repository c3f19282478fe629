import { priceEntity } from '@bascule/catalogue-projection';
import { CountryRulesEntity } from '@bascule/country-rules';
import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { ProjectSwitches1799700000000, SwitchesEntity } from '@bascule/switches';
import { CatalogueAssetEntity } from '../catalogue/catalogue-asset.entity.js';
import { OrganisationEntity } from '../organisations/organisation.entity.js';
import { CreateProjections1763700000000 } from './migrations/create-projections.migration.js';
import { ProjectCountryRules1799000000010 } from './migrations/project-country-rules.migration.js';
import { ProjectOpenedEdges1797500000000 } from './migrations/project-opened-edges.migration.js';
import { ProjectOrganisations1797400000000 } from './migrations/project-organisations.migration.js';
import { ProjectedPayment } from '../payments/projected-payment.entity.js';
import { ProjectPayments1798200000002 } from './migrations/project-payments.migration.js';
import { ProjectSenders1799300000031 } from './migrations/project-senders.migration.js';
import { ProjectVenueRatings1799900000280 } from './migrations/project-venue-ratings.migration.js';
import { ReviseSenders1799300000053 } from './migrations/revise-senders.migration.js';
import { SeeProjections1795210000001 } from './migrations/see-projections.migration.js';
import { VenueRatingEntity } from '../sources/venue-rating.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  CatalogueAssetEntity,
  CountryRulesEntity,
  SwitchesEntity,
  OrganisationEntity,
  ProjectedPayment,
  VenueRatingEntity,
  priceEntity({ version: 'integer', usd: 'numeric' }),
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateProjections1763700000000,
  SeeProjections1795210000001,
  ProjectOrganisations1797400000000,
  ProjectOpenedEdges1797500000000,
  ProjectPayments1798200000002,
  ProjectCountryRules1799000000010,
  ProjectSenders1799300000031,
  ReviseSenders1799300000053,
  ProjectSwitches1799700000000,
  ProjectVenueRatings1799900000280,
];
