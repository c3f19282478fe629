import { catalogueConsumer, priceConsumer, PriceRepository } from '@bascule/catalogue-projection';
import { ChainModule, Chains } from '@bascule/chain';
import { countryRulesConsumer, CountryRulesService } from '@bascule/country-rules';
import { GeolocationModule } from '@bascule/geolocation';
import { IdempotencyModule } from '@bascule/idempotency';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampProviders } from '@bascule/providers';
import { ScreeningModule } from '@bascule/screening';
import { SealedTokens } from '@bascule/sealed-tokens';
import { switchesConsumer, SwitchesService } from '@bascule/switches';
import { TransactionsModule } from '@bascule/transactions';
import { createBridges, createVenues } from '@bascule/venues';
import { TokenBalancesClient } from '@bascule/wallet-balances';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CallbackController } from './checkout/callback.controller.js';
import { CallbackService } from './checkout/callback.service.js';
import { CheckoutController } from './checkout/checkout.controller.js';
import { CheckoutScheduleRepository } from './checkout/checkout-schedule.repository.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { CheckoutWorker } from './checkout/checkout.worker.js';
import { AcceptanceService } from './confirm/acceptance.service.js';
import { ReturnController } from './checkout/return.controller.js';
import { PayoutCheckService } from './confirm/payout-check.service.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { ConfirmRequestReaderService } from './confirm/confirm-request-reader.service.js';
import { ConfirmService } from './confirm/confirm.service.js';
import { ContinuationService } from './confirm/continuation.service.js';
import { DeclarationContextsService } from './confirm/declaration-contexts.service.js';
import { PaymentTermsService } from './confirm/payment-terms.service.js';
import { PlaceCheckService } from './confirm/place-check.service.js';
import { QuoteChoiceService } from './confirm/quote-choice.service.js';
import { UnfundedQuotaRepository } from './persistence/unfunded-quota.repository.js';
import { TokenReaderService } from './confirm/token-reader.service.js';
import { VerificationPayloadsService } from './confirm/verification-payloads.service.js';
import { VerificationRoundsService } from './confirm/verification-rounds.service.js';
import { OwnerCheckService } from './owners/owner-check.service.js';
import { OwnerVerificationRepository } from './owners/owner-verification.repository.js';
import { OwnerVerificationService } from './owners/owner-verification.service.js';
import { SignatureSupportClient } from './owners/signature-support.client.js';
import { WithdrawalSimulationClient } from './owners/withdrawal-simulation.client.js';
import { DeadlineWorker } from './deadlines/deadline.worker.js';
import { ChainScanner } from './deposits/chain.scanner.js';
import { DepositRepository } from './deposits/deposit.repository.js';
import { UnwitnessedDepositsRepository } from './deposits/unwitnessed-deposits.repository.js';
import { DepositsService } from './deposits/deposits.service.js';
import { MinedWithdrawalsService } from './deposits/mined-withdrawals.service.js';
import { SecondReadingService } from './deposits/second-reading.service.js';
import { SecondReadingWorker } from './deposits/second-reading.worker.js';
import { RiseArrivalsService } from './deposits/rise-arrivals.service.js';
import { ScannedBlocksService } from './deposits/scanned-blocks.service.js';
import { ScanCursorRepository } from './deposits/scan-cursor.repository.js';
import { ScanReachService } from './deposits/scan-reach.service.js';
import { ScannersWorker } from './deposits/scanners.worker.js';
import { BridgeTransfersClient } from './execution/bridge-transfers.client.js';
import { VENUES } from './execution/conversion.client.js';
import { LegConversionsService } from './execution/leg-conversions.service.js';
import { LegOutcomesService } from './execution/leg-outcomes.service.js';
import { LegSettlementsService } from './execution/leg-settlements.service.js';
import { ReservedLegsService } from './execution/reserved-legs.service.js';
import { LegStartService } from './execution/leg-start.service.js';
import { LegTransfersService } from './execution/leg-transfers.service.js';
import { LegWorker } from './execution/leg.worker.js';
import { UntrackedTransfersService } from './execution/untracked-transfers.service.js';
import { WalletRefundsService } from './execution/wallet-refunds.service.js';
import { PaymentMetricsService } from './persistence/payment-metrics.service.js';
import {
  BRIDGES,
  ONRAMP_PROVIDERS,
  PAYMENT_CONFIG,
  PAYMENT_POLICY,
} from './config/payment.config.js';
import type { PaymentConfig } from './config/payment.config.js';
import { PaymentAcceptanceRepository } from './persistence/payment-acceptance.repository.js';
import { PaymentHistoryRepository } from './persistence/payment-history.repository.js';
import { DepositSumsRepository } from './persistence/deposit-sums.repository.js';
import { PastWithdrawalsRepository } from './persistence/past-withdrawals.repository.js';
import { PaymentReaderRepository } from './persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from './persistence/payment-store.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { TimelineRepository } from './persistence/timeline.repository.js';
import { AssetDirectoryRepository } from './projections/asset-directory.repository.js';
import { OrganisationConsumer } from './projections/organisation.consumer.js';
import { OrganisationRepository } from './projections/organisation.repository.js';
import { EmptyWalletRepository } from './persistence/empty-wallet.repository.js';
import { OwnerPaymentsRepository } from './persistence/owner-payments.repository.js';
import { ParkedFundsController } from './parked-funds/parked-funds.controller.js';
import { ParkedFundsService } from './parked-funds/parked-funds.service.js';
import { WalletPagesService } from './parked-funds/wallet-pages.service.js';
import { WalletReadingsService } from './parked-funds/wallet-readings.service.js';
import { ProviderTokensRepository } from './persistence/provider-tokens.repository.js';
import { HistoryController } from './reading/history.controller.js';
import { PaymentLinksService } from './reading/payment-links.service.js';
import { PaymentPresenterService } from './reading/payment-presenter.service.js';
import { PriceConversionService } from './reading/price-conversion.service.js';
import { PaymentsController } from './reading/payments.controller.js';
import { ConfirmScreeningService } from './screening/confirm-screening.service.js';
import { LegScreeningService } from './screening/leg-screening.service.js';
import { PaymentValueRepository } from './screening/payment-value.repository.js';
import { RepublicationService } from './screening/republication.service.js';
import { RepublicationWorker } from './screening/republication.worker.js';
import { SenderScreeningRepository } from './screening/sender-screening.repository.js';
import { SenderScreeningService } from './screening/sender-screening.service.js';
import { SenderScreeningWorker } from './screening/sender-screening.worker.js';
import { TimelineController } from './reading/timeline.controller.js';
import { NativeMoneyService } from './deposits/native-money.service.js';
import { NativeSearchService } from './deposits/native-search.service.js';
import { NativeSearchWorker } from './deposits/native-search.worker.js';
import { NativeSearchesRepository } from './deposits/native-searches.repository.js';
import { NativeWalletsRepository } from './deposits/native-wallets.repository.js';
import { PaymentRecorderService } from './deposits/payment-recorder.service.js';
import { DepositWitnessesService } from './deposits/deposit-witnesses.service.js';
import { SetAsideRepository } from './deposits/set-aside.repository.js';
import { SetAsideWorker } from './deposits/set-aside.worker.js';
import { TimelineReaderService } from './reading/timeline-reader.service.js';
import { VenueRatingsRepository } from './ratings/venue-ratings.repository.js';
import { VenueRatingsService } from './ratings/venue-ratings.service.js';
import { PausesService } from './pauses/pauses.service.js';
import { DustService } from './costs/dust.service.js';
import { GasPricesService } from './costs/gas-prices.service.js';
import { MinedWithdrawalRecorderService } from './withdrawals/mined-withdrawal-recorder.service.js';
import { WithdrawalConsumer } from './withdrawals/withdrawal.consumer.js';

@Module({})
export class PaymentModule {
  static register(config: PaymentConfig): DynamicModule {
    return {
      module: PaymentModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        MessagingModule.register({
          group: 'payment',
          publishes: true,
          consumes: true,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          concurrency: config.EVENT_CONCURRENCY,
          pauseOrganisations: config.EVENT_PAUSE_ORGANISATIONS,
        }),
        IdempotencyModule.register({ keys: config.stateTokenKeys }),
        ChainModule.register(config.chains),
        GeolocationModule.register(config, {
          isRequired: config.chains.chains.some(({ definition }) => !definition.isTestnet),
        }),
        ScreeningModule.register(config.screening),
        TransactionsModule.register({
          keys: config.executorKeys,
          retiredKeys: config.executorRetiredKeys,
          signersConfig: config,
          replaceAfterMs: config.transactionReplaceAfterMs,
          maxGas: config.transactionMaxGas,
          privateForMs: config.privateForMs,
        }),
      ],
      controllers: [
        ConfirmController,
        PaymentsController,
        TimelineController,
        HistoryController,
        CheckoutController,
        ReturnController,
        CallbackController,
        ParkedFundsController,
        catalogueConsumer({
          service: 'payment',
          table: 'assets',
          columnsOf: (asset) => ({
            chain: 'chain' in asset ? asset.chain : null,
            decimals: asset.decimals,
            asset,
          }),
        }),
        priceConsumer('payment'),
        OrganisationConsumer,
        countryRulesConsumer('payment'),
        switchesConsumer('payment'),
        WithdrawalConsumer,
      ],
      providers: [
        { provide: PAYMENT_CONFIG, useValue: config },
        { provide: PAYMENT_POLICY, useValue: config.policy },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.stateTokenKeys) },
        ProviderTokensRepository,
        {
          provide: ONRAMP_PROVIDERS,
          inject: [ProviderTokensRepository],
          useFactory: (tokens: ProviderTokensRepository) =>
            createOnrampProviders(config.providers, tokens),
        },
        PaymentReaderRepository,
        PaymentHistoryRepository,
        PaymentStoreRepository,
        DepositSumsRepository,
        PastWithdrawalsRepository,
        TimelineRepository,
        TimelineReaderService,
        PaymentAcceptanceRepository,
        PaymentMetricsService,
        PriceRepository,
        AssetDirectoryRepository,
        OrganisationRepository,
        CountryRulesService,
        SwitchesService,
        PausesService,
        VenueRatingsRepository,
        VenueRatingsService,
        PaymentValueRepository,
        ConfirmScreeningService,
        LegScreeningService,
        RepublicationService,
        RepublicationWorker,
        SenderScreeningRepository,
        SenderScreeningService,
        SenderScreeningWorker,
        ConfirmRequestReaderService,
        ConfirmService,
        ContinuationService,
        AcceptanceService,
        UnfundedQuotaRepository,
        PayoutCheckService,
        QuoteChoiceService,
        TokenReaderService,
        PaymentTermsService,
        PlaceCheckService,
        VerificationPayloadsService,
        VerificationRoundsService,
        DeclarationContextsService,
        OwnerCheckService,
        OwnerVerificationService,
        OwnerVerificationRepository,
        SignatureSupportClient,
        WithdrawalSimulationClient,
        PaymentLinksService,
        PaymentPresenterService,
        PriceConversionService,
        CheckoutService,
        CallbackService,
        CheckoutScheduleRepository,
        CheckoutWorker,
        DeadlineWorker,
        EmptyWalletRepository,
        OwnerPaymentsRepository,
        TokenBalancesClient,
        WalletPagesService,
        WalletReadingsService,
        ParkedFundsService,
        DustService,
        GasPricesService,
        MinedWithdrawalRecorderService,
        ScanCursorRepository,
        DepositRepository,
        DepositsService,
        PaymentRecorderService,
        NativeMoneyService,
        NativeSearchService,
        NativeSearchWorker,
        NativeSearchesRepository,
        RiseArrivalsService,
        NativeWalletsRepository,
        DepositWitnessesService,
        UnwitnessedDepositsRepository,
        SetAsideRepository,
        SetAsideWorker,
        MinedWithdrawalsService,
        SecondReadingService,
        SecondReadingWorker,
        ScannedBlocksService,
        ScanReachService,
        ChainScanner,
        ScannersWorker,
        { provide: VENUES, useFactory: () => createVenues(config.aggregators) },
        {
          provide: BRIDGES,
          useFactory: (chains: Chains) =>
            new Map(
              createBridges(config.bridges, chains, config.attesterUrls).map((bridge) => [
                bridge.name,
                bridge,
              ]),
            ),
          inject: [Chains],
        },
        BridgeTransfersClient,
        LegConversionsService,
        LegOutcomesService,
        LegSettlementsService,
        ReservedLegsService,
        LegStartService,
        LegTransfersService,
        LegWorker,
        UntrackedTransfersService,
        WalletRefundsService,
      ],
    };
  }
}
