import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AttemptLog } from './attempt-log.js';
import { Broadcaster } from './broadcaster.js';
import { Replacer } from './replacer.js';
import { KeyChoice } from './key-choice.js';
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

/** Requires DataSource, Chains and ServiceContext, and the lib's tables in the service's schema. */
@Module({})
export class TransactionsModule {
  static register(options: TransactionsOptions): DynamicModule {
    return {
      module: TransactionsModule,
      global: true,
      providers: [
        { provide: TRANSACTIONS_OPTIONS, useValue: options },
        { provide: Signers, useFactory: () => new Signers(options.signers) },
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
      exports: [AttemptLog, TransactionSender, TransactionWorker],
    };
  }
}
