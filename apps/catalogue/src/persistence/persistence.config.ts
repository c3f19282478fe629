import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { AssetEntity } from './asset.entity.js';
import { AssetOverrideEntity } from './asset-override.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { ChainEntity } from './chain.entity.js';
import { FiatRateEntity } from './fiat-rate.entity.js';
import { MarketRateEntity } from './market-rate.entity.js';
import { AddAssetOverrides1797000000000 } from './migrations/add-asset-overrides.migration.js';
import { AddMarketRates1798000000000 } from './migrations/add-market-rates.migration.js';
import { CreateCatalogue1763700000000 } from './migrations/create-catalogue.migration.js';
import { ExtendPrices1797010000000 } from './migrations/extend-prices.migration.js';
import { PriceEntity } from './price.entity.js';
import { UpstreamCallsEntity } from './upstream-calls.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  AssetEntity,
  AssetOverrideEntity,
  AuditEntryEntity,
  ChainEntity,
  PriceEntity,
  FiatRateEntity,
  MarketRateEntity,
  UpstreamCallsEntity,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateCatalogue1763700000000,
  AddAssetOverrides1797000000000,
  ExtendPrices1797010000000,
  AddMarketRates1798000000000,
];
