import { catalogueConsumer, priceConsumer, PriceRepository } from '@bascule/catalogue-projection';
import { ChainModule } from '@bascule/chain';
import { IdempotencyModule } from '@bascule/idempotency';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { ScreeningModule } from '@bascule/screening';
import { SealedTokens } from '@bascule/sealed-tokens';
import { TransactionsModule } from '@bascule/transactions';
import { TokenBalancesClient, WithdrawalFeesService } from '@bascule/wallet-balances';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AttestationsClient } from './accounts/escrow/attestations.client.js';
import { EscrowAccountService } from './accounts/escrow/escrow-account.service.js';
import { FillsClient } from './accounts/escrow/fills.client.js';
import { UnreportedOrdersClient } from './accounts/escrow/unreported-orders.client.js';
import { OrderStateClient } from './accounts/escrow/order-state.client.js';
import { RefundOutcomeClient } from './accounts/escrow/refund-outcome.client.js';
import { UnfinishedLegClient } from './accounts/wallet/unfinished-leg.client.js';
import { WalletAccountService } from './accounts/wallet/wallet-account.service.js';
import { WalletOutcomeClient } from './accounts/wallet/wallet-outcome.client.js';
import { WithdrawalAccountsService } from './accounts/withdrawal-accounts.service.js';
import { BalancesController } from './balances/balances.controller.js';
import { BalancesService } from './balances/balances.service.js';
import { OrderBalancesService } from './balances/order-balances.service.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { ConfirmService } from './confirm/confirm.service.js';
import { OvertakenChecksService } from './confirm/overtaken-checks.service.js';
import { OwnerSignatureClient } from './confirm/owner-signature.client.js';
import { SettlementWaitsService } from './confirm/settlement-waits.service.js';
import { StateTokensService } from './requests/state-tokens.service.js';
import { OwnerContractClient } from './payments/owner-contract.client.js';
import { SigningOwnersClient } from './payments/signing-owners.client.js';
import { PaymentAccessService } from './payments/payment-access.service.js';
import { RetryChainsRepository } from './payments/retry-chains.repository.js';
import { RecordedMoneyService } from './payments/recorded-money.service.js';
import { RetryLookupService } from './payments/retry-lookup.service.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { ProjectionsRepository } from './persistence/projections.repository.js';
import { WithdrawalRepository } from './persistence/withdrawal.repository.js';
import { OrganisationConsumer } from './projections/organisation.consumer.js';
import { PaymentConsumer } from './projections/payment.consumer.js';
import { WithdrawalScreeningService } from './screening/withdrawal-screening.service.js';
import { ReportedOutcomesService } from './settlement/reported-outcomes.service.js';
import { SettlementWatchService } from './settlement/settlement-watch.service.js';
import { SettlementService } from './settlement/settlement.service.js';
import { SubmissionService } from './settlement/submission.service.js';
import { UnsubmittedChecksService } from './settlement/unsubmitted-checks.service.js';
import { UnsubmittedWorker } from './settlement/unsubmitted.worker.js';
import { WithdrawalWorker } from './settlement/withdrawal.worker.js';
import { StatusController } from './status/status.controller.js';
import { WithdrawController } from './withdraw/withdraw.controller.js';
import { ReducedFeesService } from './withdraw/reduced-fees.service.js';
import { UnsignedQuotaRepository } from './persistence/unsigned-quota.repository.js';
import { WithdrawService } from './withdraw/withdraw.service.js';
import { WithdrawalSettings } from './settings/withdrawal-settings.js';
import type { WithdrawalConfig } from './config/withdrawal.config.js';
import { WithdrawalMetricsService } from './metrics/withdrawal-metrics.service.js';

@Module({})
export class WithdrawalModule {
  static register(config: WithdrawalConfig): DynamicModule {
    return {
      module: WithdrawalModule,
      imports: [
        PersistenceModule.register({
          database: config.database,
          entities,
          migrations,
        }),
        MessagingModule.register({
          group: 'withdrawal',
          publishes: true,
          consumes: true,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          concurrency: config.EVENT_CONCURRENCY,
          pauseOrganisations: config.EVENT_PAUSE_ORGANISATIONS,
        }),
        IdempotencyModule.register({ keys: config.stateTokenKeys }),
        ChainModule.register(config.chains),
        ScreeningModule.register(config.screening),
        TransactionsModule.register({
          keys: config.relayerKeys,
          retiredKeys: config.relayerRetiredKeys,
          signersConfig: config,
          replaceAfterMs: config.replaceAfterMs,
          maxGas: config.maxGas,
        }),
      ],
      controllers: [
        BalancesController,
        WithdrawController,
        ConfirmController,
        StatusController,
        PaymentConsumer,
        OrganisationConsumer,
        catalogueConsumer({
          service: 'withdrawal',
          table: 'assets',
          columnsOf: (asset) =>
            'is_native' in asset
              ? { chain: asset.chain, symbol: asset.symbol, decimals: asset.decimals }
              : null,
        }),
        priceConsumer('withdrawal'),
      ],
      providers: [
        { provide: WithdrawalSettings, useFactory: () => new WithdrawalSettings(config) },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.stateTokenKeys) },
        PriceRepository,
        ProjectionsRepository,
        WithdrawalMetricsService,
        WithdrawalRepository,
        PaymentAccessService,
        RecordedMoneyService,
        RetryLookupService,
        TokenBalancesClient,
        {
          provide: WithdrawalFeesService,
          inject: [PriceRepository, WithdrawalSettings],
          useFactory: (prices: PriceRepository, { balanceTimeoutMs }: WithdrawalSettings) =>
            new WithdrawalFeesService(prices, balanceTimeoutMs),
        },
        WithdrawalScreeningService,
        RetryChainsRepository,
        ReducedFeesService,
        UnsignedQuotaRepository,
        BalancesService,
        OwnerContractClient,
        SigningOwnersClient,
        UnfinishedLegClient,
        WalletOutcomeClient,
        WalletAccountService,
        OrderStateClient,
        FillsClient,
        UnreportedOrdersClient,
        AttestationsClient,
        RefundOutcomeClient,
        EscrowAccountService,
        WithdrawalAccountsService,
        OrderBalancesService,
        WithdrawService,
        StateTokensService,
        OwnerSignatureClient,
        OvertakenChecksService,
        SettlementWaitsService,
        ConfirmService,
        SubmissionService,
        SettlementService,
        SettlementWatchService,
        WithdrawalWorker,
        UnsubmittedChecksService,
        UnsubmittedWorker,
        ReportedOutcomesService,
      ],
    };
  }
}
