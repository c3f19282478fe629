import { AbandonReservations1799700000053 } from './persistence/abandon-reservations.migration.js';
import { BoundCosts1799600000041 } from './persistence/bound-costs.migration.js';
import { ChainSigner } from './persistence/chain-signer.entity.js';
import { ChainTransactionAttempt } from './persistence/chain-transaction-attempt.entity.js';
import { ChainTransaction } from './persistence/chain-transaction.entity.js';
import { CreateTransactions1763000000000 } from './persistence/create-transactions.migration.js';
import { IndexDueByChain1799700000061 } from './persistence/index-due-by-chain.migration.js';
import { ReserveNonces1799600000052 } from './persistence/reserve-nonces.migration.js';
import { SendPrivately1799900000270 } from './persistence/send-privately.migration.js';
import { TraceTransactions1796300000000 } from './persistence/trace-transactions.migration.js';

/** Entities for the service's data source; transactions are stored in its own schema. */
export const transactionEntities = [ChainSigner, ChainTransaction, ChainTransactionAttempt];
export const transactionMigrations = [
  CreateTransactions1763000000000,
  TraceTransactions1796300000000,
  BoundCosts1799600000041,
  ReserveNonces1799600000052,
  AbandonReservations1799700000053,
  IndexDueByChain1799700000061,
  SendPrivately1799900000270,
];

export { boundedFees } from './bounded-fees.js';
export { raisedFees } from './replacement-fees.js';
export { dataFeeSeenIn } from './signed-attempt.js';
export { SignerUnfundedError } from './signer-funds.js';
export { TransactionWouldRevertError, asSimulationError } from './simulation-error.js';
export { TransactionTooExpensiveError } from './transaction-too-expensive-error.js';
export type { TransactionOutcome } from './transaction-outcome.js';
export { Reservations } from './reservations.js';
export { AttemptLog } from './attempt-log.js';
export type { AttemptFact } from './attempt-log.js';
export { UnsignedError } from './unsigned-error.js';
export type { TransactionCost } from './transaction-store.js';
export { TransactionSender } from './transaction-sender.js';
export type { RecordedChange } from './transaction-sender.js';
export { TransactionWorker } from './transaction-worker.js';
export { transactionsEnv } from './transactions-config.js';
export { TransactionsModule } from './transactions.module.js';
