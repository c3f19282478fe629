import { ChainModule, Chains } from '@bascule/chain';
import { GeolocationModule } from '@bascule/geolocation';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampProviders } from '@bascule/providers';
import { SealedTokens } from '@bascule/sealed-tokens';
import { createBridges, createVenues } from '@bascule/venues';
import { Module, type DynamicModule } from '@nestjs/common';
import { BridgeCoverageService } from './bridges/bridge-coverage.service.js';
import { BridgeQuoter } from './bridges/bridge-quoter.service.js';
import { BRIDGES, type Bridges } from './bridges/bridges.js';
import { ConversionCoverageService } from './conversions/conversion-coverage.service.js';
import { GasPrices } from './conversions/gas-prices.service.js';
import { VENUES, VenueQuoter } from './conversions/venue-quoter.service.js';
import { NetworkFees } from './fees/network-fees.service.js';
import { LegQuoter } from './legs/leg-quoter.service.js';
import { MethodsController } from './methods/methods.controller.js';
import { MethodsService } from './methods/methods.service.js';
import { OnrampCoverageService } from './onramps/onramp-coverage.service.js';
import { ONRAMP_PROVIDERS } from './onramps/onramp-providers.js';
import { OnrampQuoter } from './onramps/onramp-quoter.service.js';
import { CatalogueAssetRepository } from './persistence/catalogue-asset.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { PriceRepository } from './persistence/price.repository.js';
import { PricedAssets } from './prices/priced-assets.service.js';
import { CatalogueConsumer } from './projections/catalogue.consumer.js';
import { PriceConsumer } from './projections/price.consumer.js';
import { QuoteMetrics } from './quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from './quote.config.js';
import { QuoteRequestReader } from './quotes/quote-request-reader.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { QuotesService } from './quotes/quotes.service.js';
import { RouteAttempts } from './quotes/route-attempts.service.js';
import { RouteQuoter } from './quotes/route-quoter.service.js';
import { AvailableAssetsController } from './reachability/available-assets.controller.js';
import { ReachabilityService } from './reachability/reachability.service.js';
import { RequestReader } from './requests/request-reader.service.js';
import { AssetBook } from './routing/asset-book.service.js';
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
        AssetBook,
        BridgeCoverageService,
        BridgeQuoter,
        CatalogueAssetRepository,
        ConversionCoverageService,
        GasPrices,
        LegQuoter,
        MethodsService,
        NetworkFees,
        OnrampCoverageService,
        OnrampQuoter,
        PricedAssets,
        PriceRepository,
        QuoteMetrics,
        QuoteRequestReader,
        QuotesService,
        ReachabilityService,
        RequestReader,
        RouteAttempts,
        RouteQuoter,
        RoutingService,
        VenueQuoter,
      ],
    };
  }
}
