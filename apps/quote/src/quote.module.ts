import { catalogueConsumer, priceConsumer, PriceRepository } from '@bascule/catalogue-projection';
import { ChainModule, Chains } from '@bascule/chain';
import { countryRulesConsumer, CountryRulesService } from '@bascule/country-rules';
import { GeolocationModule } from '@bascule/geolocation';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampQuoters } from '@bascule/providers';
import { SealedTokens } from '@bascule/sealed-tokens';
import { switchesConsumer, SwitchesService } from '@bascule/switches';
import { createBridges, createVenues } from '@bascule/venues';
import { TokenBalancesClient, WithdrawalFeesService } from '@bascule/wallet-balances';
import { Module, type DynamicModule } from '@nestjs/common';
import { CatalogueAssetRepository } from './catalogue/catalogue-asset.repository.js';
import { CatalogueCacheService } from './catalogue/catalogue-cache.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from './config/quote.config.js';
import { AvailableAssetsController } from './discovery/available-assets.controller.js';
import { MethodsController } from './discovery/methods.controller.js';
import { MethodsService } from './discovery/methods.service.js';
import { ReachabilityService } from './discovery/reachability.service.js';
import { ExactOutputService } from './exact-output/exact-output.service.js';
import { InputEstimatorService } from './exact-output/input-estimator.service.js';
import { QuoteMetricsService } from './metrics/quote-metrics.service.js';
import { OrganisationConsumer } from './organisations/organisation.consumer.js';
import { OrganisationRepository } from './organisations/organisation.repository.js';
import { RequestersService } from './organisations/requesters.service.js';
import { RevenueSharesService } from './organisations/revenue-shares.service.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { InputLimitsService } from './pricing/input-limits.service.js';
import { LegQuoterService } from './pricing/leg-quoter.service.js';
import { NetworkFeesService } from './pricing/network-fees.service.js';
import { ParentPaymentsService } from './payments/parent-payments.service.js';
import { ParkedBalancesService } from './payments/parked-balances.service.js';
import { PaymentConsumer } from './payments/payment.consumer.js';
import { PayoutChecksService } from './quotes/payout-checks.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { QuotesService } from './quotes/quotes.service.js';
import { RequotesService } from './quotes/requotes.service.js';
import { RouteQuoterService } from './quotes/route-quoter.service.js';
import { RequestReaderService } from './requests/request-reader.service.js';
import { RoutingService } from './routing/routing.service.js';
import { BridgeQuoterService } from './sources/bridge-quoter.service.js';
import { CoverageService } from './sources/coverage.service.js';
import { GasPricesService } from './sources/gas-prices.service.js';
import { OnrampQuoterService } from './sources/onramp-quoter.service.js';
import { BRIDGES, ONRAMP_PROVIDERS, VENUES, type Bridges } from './sources/source-registry.js';
import { KeyScopesService } from './sources/key-scopes.service.js';
import { VenueRatingsConsumer } from './sources/venue-ratings.consumer.js';
import { VenueRatingsService } from './sources/venue-ratings.service.js';
import { VenueQuoterService } from './sources/venue-quoter.service.js';

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
          pauseOrganisations: config.EVENT_PAUSE_ORGANISATIONS,
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
        catalogueConsumer({
          service: 'quote',
          table: 'catalogue_assets',
          columnsOf: (asset) => ({ asset }),
        }),
        priceConsumer('quote'),
        OrganisationConsumer,
        countryRulesConsumer('quote'),
        switchesConsumer('quote'),
        PaymentConsumer,
        VenueRatingsConsumer,
      ],
      providers: [
        { provide: QUOTE_CONFIG, useValue: config },
        { provide: ONRAMP_PROVIDERS, useFactory: () => createOnrampQuoters(config.providers) },
        {
          provide: BRIDGES,
          inject: [Chains],
          useFactory: (chains: Chains): Bridges =>
            new Map(createBridges(config.bridges, chains).map((bridge) => [bridge.name, bridge])),
        },
        {
          provide: VENUES,
          inject: [QuoteMetricsService],
          useFactory: (metrics: QuoteMetricsService) =>
            createVenues(config.aggregators, (name, question, ask) =>
              metrics.timeRequest(name, question, ask),
            ),
        },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.sealingKeys) },
        BridgeQuoterService,
        CatalogueAssetRepository,
        CatalogueCacheService,
        CountryRulesService,
        SwitchesService,
        CoverageService,
        ExactOutputService,
        GasPricesService,
        InputEstimatorService,
        LegQuoterService,
        InputLimitsService,
        MethodsService,
        NetworkFeesService,
        OnrampQuoterService,
        OrganisationRepository,
        PayoutChecksService,
        ParentPaymentsService,
        ParkedBalancesService,
        PriceRepository,
        QuoteMetricsService,
        QuotesService,
        ReachabilityService,
        RequestReaderService,
        RequestersService,
        RevenueSharesService,
        RequotesService,
        RouteQuoterService,
        RoutingService,
        KeyScopesService,
        TokenBalancesClient,
        VenueQuoterService,
        VenueRatingsService,
        {
          provide: WithdrawalFeesService,
          inject: [PriceRepository],
          useFactory: (prices: PriceRepository) =>
            new WithdrawalFeesService(prices, config.chainTimeoutMs),
        },
      ],
    };
  }
}
