import { ChainModule } from '@bascule/chain';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { createOnrampProviders } from '@bascule/providers';
import { SealedTokens } from '@bascule/sealed-tokens';
import { TransactionsModule } from '@bascule/transactions';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CallbackController } from './checkout/callback.controller.js';
import { CallbackService } from './checkout/callback.service.js';
import { CheckoutController } from './checkout/checkout.controller.js';
import { CheckoutSchedule } from './checkout/checkout-schedule.repository.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { CheckoutWorker } from './checkout/checkout.worker.js';
import { ONRAMP_PROVIDERS } from './checkout/onramp-providers.config.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { ConfirmRequestReader } from './confirm/confirm-request-reader.service.js';
import { ConfirmService } from './confirm/confirm.service.js';
import { DeclarationContexts } from './confirm/declaration-contexts.service.js';
import { OwnerAccounts } from './confirm/owner-accounts.client.js';
import { OwnerCheck } from './confirm/owner-check.service.js';
import { DeadlineWorker } from './deadlines/deadline.worker.js';
import { depositProviders } from './deposits/deposits.module.js';
import { executionProviders } from './execution/execution.module.js';
import { PaymentMetrics } from './payment-metrics.service.js';
import { PAYMENT_CONFIG } from './payment.config.js';
import type { PaymentConfig } from './payment.config.js';
import { PaymentAcceptance } from './persistence/payment-acceptance.repository.js';
import { PaymentReader } from './persistence/payment-reader.repository.js';
import { PAYMENT_POLICY, PaymentStore } from './persistence/payment-store.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { AssetDirectory } from './projections/asset-directory.repository.js';
import { CatalogueConsumer } from './projections/catalogue.consumer.js';
import { FundingTokens } from './status/funding-tokens.service.js';
import { PaymentPresenter } from './status/payment-presenter.service.js';
import { StatusController } from './status/status.controller.js';
import { WithdrawalLandings } from './withdrawals/withdrawal-landings.service.js';
import { WithdrawalConsumer } from './withdrawals/withdrawal.consumer.js';

/** One key for every chain: the executor contract of each knows it. */
const executorSigners = ({ chains, executorPrivateKey }: PaymentConfig) =>
  Object.fromEntries(
    chains.chains.map(({ definition }) => [definition.name, { privateKey: executorPrivateKey }]),
  );

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
        }),
        ChainModule.register(config.chains),
        TransactionsModule.register({
          signers: executorSigners(config),
          replaceAfterMs: config.transactionReplaceAfterMs,
        }),
      ],
      controllers: [
        ConfirmController,
        StatusController,
        CheckoutController,
        CallbackController,
        CatalogueConsumer,
        WithdrawalConsumer,
      ],
      providers: [
        { provide: PAYMENT_CONFIG, useValue: config },
        { provide: PAYMENT_POLICY, useValue: config.policy },
        { provide: SealedTokens, useFactory: () => new SealedTokens(config.stateTokenKeys) },
        { provide: ONRAMP_PROVIDERS, useFactory: () => createOnrampProviders(config.providers) },
        PaymentReader,
        PaymentStore,
        PaymentAcceptance,
        PaymentMetrics,
        AssetDirectory,
        ConfirmRequestReader,
        ConfirmService,
        DeclarationContexts,
        OwnerAccounts,
        OwnerCheck,
        FundingTokens,
        PaymentPresenter,
        CheckoutService,
        CallbackService,
        CheckoutSchedule,
        CheckoutWorker,
        DeadlineWorker,
        WithdrawalLandings,
        ...depositProviders,
        ...executionProviders(config.executionPatience, config.bridges),
      ],
    };
  }
}
