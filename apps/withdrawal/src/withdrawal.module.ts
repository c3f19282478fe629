import { ChainModule } from '@bascule/chain';
import { MessagingModule, messagingEntities, messagingMigrations } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { SealedTokens } from '@bascule/sealed-tokens';
import {
  TransactionsModule,
  transactionEntities,
  transactionMigrations,
} from '@bascule/transactions';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AttestationsClient } from './accounts/escrow/attestations.client.js';
import { EscrowAccount } from './accounts/escrow/escrow-account.service.js';
import { FillsClient } from './accounts/escrow/fills.client.js';
import { UntoldOrdersClient } from './accounts/escrow/untold-orders.client.js';
import { OrderStandingClient } from './accounts/escrow/order-standing.client.js';
import { RefundLandingClient } from './accounts/escrow/refund-landing.client.js';
import { UnfinishedLegClient } from './accounts/wallet/unfinished-leg.client.js';
import { WalletAccount } from './accounts/wallet/wallet-account.service.js';
import { WalletLandingClient } from './accounts/wallet/wallet-landing.client.js';
import { WithdrawalAccounts } from './accounts/withdrawal-accounts.service.js';
import { BalancesController } from './balances/balances.controller.js';
import { BalancesService } from './balances/balances.service.js';
import { OrderBalances } from './balances/order-balances.service.js';
import { TokenBalancesClient } from './balances/token-balances.client.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { ConfirmService } from './confirm/confirm.service.js';
import { OwnerSignatureClient } from './confirm/owner-signature.client.js';
import { StateTokens } from './confirm/state-tokens.service.js';
import { WithdrawalFees } from './fees/withdrawal-fees.service.js';
import { AbsentOwnerClient } from './payments/absent-owner.client.js';
import { PaymentAccess } from './payments/payment-access.service.js';
import { RetryLookup } from './payments/retry-lookup.service.js';
import { withdrawalEntities } from './persistence/entities.js';
import { withdrawalMigrations } from './persistence/migrations/migrations.js';
import { ProjectionsRepository } from './persistence/projections.repository.js';
import { WithdrawalRepository } from './persistence/withdrawal.repository.js';
import { CatalogueConsumer } from './projections/catalogue.consumer.js';
import { PaymentConsumer } from './projections/payment.consumer.js';
import { PriceConsumer } from './projections/price.consumer.js';
import { LandingWatch } from './settlement/landing-watch.service.js';
import { SettlementService } from './settlement/settlement.service.js';
import { SubmissionService } from './settlement/submission.service.js';
import { WithdrawalWorker } from './settlement/withdrawal.worker.js';
import { StatusController } from './status/status.controller.js';
import { WithdrawController } from './withdraw/withdraw.controller.js';
import { WithdrawService } from './withdraw/withdraw.service.js';
import { WithdrawalSettings } from './withdrawal-settings.config.js';
import type { WithdrawalConfig } from './withdrawal.config.js';
import { WithdrawalMetrics } from './withdrawal-metrics.service.js';

export const allWithdrawalEntities: readonly EntityClass[] = [
  ...withdrawalEntities,
  ...messagingEntities,
  ...transactionEntities,
];
export const allWithdrawalMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  ...transactionMigrations,
  ...withdrawalMigrations,
];

@Module({})
export class WithdrawalModule {
  static register(config: WithdrawalConfig): DynamicModule {
    return {
      module: WithdrawalModule,
      imports: [
        PersistenceModule.register({
          database: config.database,
          entities: allWithdrawalEntities,
          migrations: allWithdrawalMigrations,
        }),
        MessagingModule.register({
          group: 'withdrawal',
          publishes: true,
          consumes: true,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          concurrency: config.EVENT_CONCURRENCY,
        }),
        ChainModule.register(config.chains),
        TransactionsModule.register({
          signers: Object.fromEntries(
            config.chains.chains.map(({ definition }) => [
              definition.name,
              { privateKey: config.relayerPrivateKey },
            ]),
          ),
          replaceAfterMs: config.replaceAfterMs,
        }),
      ],
      controllers: [
        BalancesController,
        WithdrawController,
        ConfirmController,
        StatusController,
        PaymentConsumer,
        CatalogueConsumer,
        PriceConsumer,
      ],
      providers: [
        { provide: WithdrawalSettings, useFactory: () => new WithdrawalSettings(config) },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.stateTokenKeys) },
        ProjectionsRepository,
        WithdrawalMetrics,
        WithdrawalRepository,
        PaymentAccess,
        RetryLookup,
        TokenBalancesClient,
        WithdrawalFees,
        BalancesService,
        AbsentOwnerClient,
        UnfinishedLegClient,
        WalletLandingClient,
        WalletAccount,
        OrderStandingClient,
        FillsClient,
        UntoldOrdersClient,
        AttestationsClient,
        RefundLandingClient,
        EscrowAccount,
        WithdrawalAccounts,
        OrderBalances,
        WithdrawService,
        StateTokens,
        OwnerSignatureClient,
        ConfirmService,
        SubmissionService,
        SettlementService,
        LandingWatch,
        WithdrawalWorker,
      ],
    };
  }
}
