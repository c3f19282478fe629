import { ChainModule } from '@bascule/chain';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampProviders } from '@bascule/providers';
import { SealedTokens } from '@bascule/sealed-tokens';
import { createVenues } from '@bascule/venues';
import { Module, type DynamicModule } from '@nestjs/common';
import { GasPrices } from './conversions/gas-prices.service.js';
import { VENUES, VenueQuoter } from './conversions/venue-quoter.service.js';
import { OnrampCoverageService } from './onramps/onramp-coverage.service.js';
import { ONRAMP_PROVIDERS } from './onramps/onramp-providers.js';
import { OnrampQuoter } from './onramps/onramp-quoter.service.js';
import { CatalogueAssetRepository } from './persistence/catalogue-asset.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { PriceRepository } from './persistence/price.repository.js';
import { CatalogueConsumer } from './projections/catalogue.consumer.js';
import { PriceConsumer } from './projections/price.consumer.js';
import { QuoteMetrics } from './quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from './quote.config.js';
import { QuoteRequestReader } from './quotes/quote-request-reader.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { QuotesService } from './quotes/quotes.service.js';
import { RouteAttempts } from './quotes/route-attempts.service.js';
import { RouteQuoter } from './quotes/route-quoter.service.js';
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
      ],
      controllers: [QuotesController, CatalogueConsumer, PriceConsumer],
      providers: [
        { provide: QUOTE_CONFIG, useValue: config },
        { provide: ONRAMP_PROVIDERS, useFactory: () => createOnrampProviders(config.providers) },
        { provide: VENUES, useFactory: createVenues },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.sealingKeys) },
        AssetBook,
        CatalogueAssetRepository,
        GasPrices,
        OnrampCoverageService,
        OnrampQuoter,
        PriceRepository,
        QuoteMetrics,
        QuoteRequestReader,
        QuotesService,
        RouteAttempts,
        RouteQuoter,
        RoutingService,
        VenueQuoter,
      ],
    };
  }
}
