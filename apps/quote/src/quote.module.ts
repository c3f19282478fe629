import { ChainModule, Chains } from '@bascule/chain';
import { GeolocationModule } from '@bascule/geolocation';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampProviders } from '@bascule/providers';
import { SealedTokens } from '@bascule/sealed-tokens';
import { createBridges, createVenues } from '@bascule/venues';
import { Module, type DynamicModule } from '@nestjs/common';
import { BridgeCoverageService } from './sources/bridges/bridge-coverage.service.js';
import { BridgeQuoterService } from './sources/bridges/bridge-quoter.service.js';
import { BRIDGES, type Bridges } from './sources/bridges/bridges.js';
import { ConversionCoverageService } from './sources/conversions/conversion-coverage.service.js';
import { GasPricesService } from './sources/conversions/gas-prices.service.js';
import { VENUES, VenueQuoterService } from './sources/conversions/venue-quoter.service.js';
import { NetworkFeesService } from './pricing/network-fees.service.js';
import { LegQuoterService } from './pricing/leg-quoter.service.js';
import { MethodsController } from './discovery/methods.controller.js';
import { MethodsService } from './discovery/methods.service.js';
import { OnrampCoverageService } from './sources/onramps/onramp-coverage.service.js';
import { ONRAMP_PROVIDERS } from './sources/onramps/onramp-providers.js';
import { OnrampQuoterService } from './sources/onramps/onramp-quoter.service.js';
import { CatalogueAssetRepository } from './catalogue/catalogue-asset.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { PriceRepository } from './catalogue/price.repository.js';
import { PricedAssetsService } from './catalogue/priced-assets.service.js';
import { CatalogueConsumer } from './catalogue/catalogue.consumer.js';
import { PriceConsumer } from './catalogue/price.consumer.js';
import { QuoteMetricsService } from './metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from './config/quote-config.js';
import { QuoteRequestReaderService } from './quotes/quote-request-reader.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { QuotesService } from './quotes/quotes.service.js';
import { RouteAttemptsService } from './quotes/route-attempts.service.js';
import { RouteQuoterService } from './quotes/route-quoter.service.js';
import { AvailableAssetsController } from './discovery/available-assets.controller.js';
import { ReachabilityService } from './discovery/reachability.service.js';
import { RequestReaderService } from './requests/request-reader.service.js';
import { AssetBookService } from './catalogue/asset-book.service.js';
import { RoutingService } from './routing/routing.service.js';

@Module({})
export class QuoteModule {
  static register(config: QuoteConfig): DynamicModule {
    return {
      module: QuoteModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        MessagingModule.register({
          group: 'quote',
          publishes: false,
          consumes: true,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          concurrency: config.EVENT_CONCURRENCY,
        }),
        ChainModule.register(config.chains),
        GeolocationModule.register(config, {
          isRequired: config.chains.chains.some(({ definition }) => !definition.isTestnet),
        }),
      ],
      controllers: [
        AvailableAssetsController,
        MethodsController,
        QuotesController,
        CatalogueConsumer,
        PriceConsumer,
      ],
      providers: [
        { provide: QUOTE_CONFIG, useValue: config },
        { provide: ONRAMP_PROVIDERS, useFactory: () => createOnrampProviders(config.providers) },
        {
          provide: BRIDGES,
          inject: [Chains],
          useFactory: (chains: Chains): Bridges =>
            new Map(createBridges(config.bridges, chains).map((bridge) => [bridge.name, bridge])),
        },
        { provide: VENUES, useFactory: createVenues },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.sealingKeys) },
        AssetBookService,
        BridgeCoverageService,
        BridgeQuoterService,
        CatalogueAssetRepository,
        ConversionCoverageService,
        GasPricesService,
        LegQuoterService,
        MethodsService,
        NetworkFeesService,
        OnrampCoverageService,
        OnrampQuoterService,
        PricedAssetsService,
        PriceRepository,
        QuoteMetricsService,
        QuoteRequestReaderService,
        QuotesService,
        ReachabilityService,
        RequestReaderService,
        RouteAttemptsService,
        RouteQuoterService,
        RoutingService,
        VenueQuoterService,
      ],
    };
  }
}
