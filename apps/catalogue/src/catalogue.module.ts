import { ChainModule, Chains } from '@bascule/chain';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { listedFiats, listedTokens } from './assets/listed-assets.js';
import { AssetsController } from './assets/assets.controller.js';
import { CatalogueMetrics } from './catalogue-metrics.service.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from './catalogue.config.js';
import { ChainsController } from './chains/chains.controller.js';
import { ListingService } from './listing/listing.service.js';
import { ListingRepository } from './persistence/listing.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { PriceRepository } from './persistence/price.repository.js';
import { ChainFeeds } from './prices/chain-feeds.adapter.js';
import { ConfiguredFiatRates } from './prices/configured-fiat-rates.adapter.js';
import { PriceObserver } from './prices/price-observer.service.js';
import { PriceRecorder } from './prices/price-recorder.service.js';
import { PRICE_SOURCES, type PriceSource } from './prices/price-source.js';
import { PricesController } from './prices/prices.controller.js';
import { PricesRequestReader } from './prices/prices-request-reader.service.js';
import { PricesService } from './prices/prices.service.js';

/** The one list of price sources. */
const priceSources = (config: CatalogueConfig, chains: Chains): PriceSource[] => [
  new ConfiguredFiatRates(
    config.fiatRates,
    listedFiats().map(({ id }) => id),
  ),
  ...chains.all().map((chain) => new ChainFeeds(chain, listedTokens(chain.definition))),
];

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
        ScheduleModule.forRoot(),
      ],
      controllers: [AssetsController, ChainsController, PricesController],
      providers: [
        { provide: CATALOGUE_CONFIG, useValue: config },
        {
          provide: PRICE_SOURCES,
          inject: [Chains],
          useFactory: (chains: Chains) => priceSources(config, chains),
        },
        ListingRepository,
        PriceRepository,
        ListingService,
        CatalogueMetrics,
        PriceRecorder,
        PriceObserver,
        PricesRequestReader,
        PricesService,
      ],
    };
  }
}
