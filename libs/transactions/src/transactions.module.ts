import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import type { SignersConfig } from '@bascule/signers';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AttemptLog } from './attempt-log.js';
import { Broadcaster } from './broadcaster.js';
import { KeyChoice } from './key-choice.js';
import { openKeys } from './open-keys.js';
import type { KeyLocations } from './open-keys.js';
import { Replacer } from './replacer.js';
import { Reservations } from './reservations.js';
import { SignerWorker } from './signer-worker.js';
import { Signers } from './signers.js';
import { Signing } from './signing.js';
import { TransactionMetrics } from './transaction-metrics.js';
import { TransactionSender } from './transaction-sender.js';
import { TransactionWorker } from './transaction-worker.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';
import { WaitingMetrics } from './waiting-metrics.js';

/** Keys of the service, the same on every chain. */
interface KeyOptions extends KeyLocations {
  signersConfig: SignersConfig;
}

/** Requires DataSource, Chains and ServiceContext, and the lib's tables in the service's schema. */
@Module({})
export class TransactionsModule {
  static register({
    keys,
    retiredKeys,
    signersConfig,
    ...options
  }: KeyOptions & TransactionsOptions): DynamicModule {
    return {
      module: TransactionsModule,
      global: true,
      providers: [
        { provide: TRANSACTIONS_OPTIONS, useValue: options },
        {
          provide: Signers,
          inject: [Chains, ServiceContext],
          useFactory: async (chains: Chains, context: ServiceContext) => {
            const signers = await openKeys(
              { keys, retiredKeys },
              { context, config: signersConfig },
            );
            return new Signers(Object.fromEntries(chains.all().map(({ name }) => [name, signers])));
          },
        },
        TransactionMetrics,
        WaitingMetrics,
        AttemptLog,
        Broadcaster,
        Signing,
        Reservations,
        KeyChoice,
        Replacer,
        TransactionSender,
        TransactionWorker,
        SignerWorker,
      ],
      exports: [AttemptLog, Reservations, TransactionSender, TransactionWorker],
    };
  }
}
