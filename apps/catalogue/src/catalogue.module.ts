import { ChainModule } from '@bascule/chain';
import { GeolocationModule } from '@bascule/geolocation';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AssetsController } from './api/assets.controller.js';
import { AssetsRequestReaderService } from './api/assets-request-reader.service.js';
import { CatalogueMetricsService } from './observation/catalogue-metrics.service.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from './config/catalogue.config.js';
import { ChainsController } from './api/chains.controller.js';
import { GeolocationController } from './api/geolocation.controller.js';
import { ListingService } from './listing/listing.service.js';
import { ListingSnapshotService } from './listing/listing-snapshot.service.js';
import { ListingWorker } from './listing/listing.worker.js';
import { AssetOverrideRepository } from './persistence/asset-override.repository.js';
import { ListingRepository } from './persistence/listing.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { priceProviders } from './price-providers.module.js';
import { PricesController } from './api/prices.controller.js';

@Module({})
export class CatalogueModule {
  static register(config: CatalogueConfig): DynamicModule {
    return {
      module: CatalogueModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        MessagingModule.register({
          group: 'catalogue',
          publishes: true,
          consumes: false,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
        }),
        ChainModule.register(config.chains),
        GeolocationModule.register(config, {
          isRequired: config.chains.chains.some(({ definition }) => !definition.isTestnet),
        }),
        ScheduleModule.forRoot(),
      ],
      controllers: [AssetsController, ChainsController, GeolocationController, PricesController],
      providers: [
        { provide: CATALOGUE_CONFIG, useValue: config },
        ...priceProviders(config),
        AssetsRequestReaderService,
        AssetOverrideRepository,
        ListingRepository,
        ListingService,
        ListingSnapshotService,
        ListingWorker,
        CatalogueMetricsService,
      ],
    };
  }
}
