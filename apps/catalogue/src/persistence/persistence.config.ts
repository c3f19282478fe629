import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { AssetEntity } from './asset.entity.js';
import { ChainEntity } from './chain.entity.js';
import { CreateCatalogue1763700000000 } from './migrations/create-catalogue.migration.js';
import { PriceEntity } from './price.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  AssetEntity,
  ChainEntity,
  PriceEntity,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateCatalogue1763700000000,
];
