import type { Hash, TransactionReceipt } from 'viem';

/** Final outcome of a transaction. `dropped`: it can never be mined. */
export type TransactionOutcome =
  | { status: 'success' | 'reverted'; hash: Hash; receipt: TransactionReceipt }
  | { status: 'dropped'; hash: null; receipt: null };

/**
 * Called at least once for every transaction, until it succeeds. A reorg deeper than the confirmations causes
 * another call, possibly with another outcome.
 */
export type SettlementHandler = (reference: string, outcome: TransactionOutcome) => Promise<void>;
