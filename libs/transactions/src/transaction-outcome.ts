import type { Hash, TransactionReceipt } from 'viem';

/** How a transaction ended, with the chain's confirmations. `dropped`: it can never land. */
export type TransactionOutcome =
  | { status: 'success' | 'reverted'; hash: Hash; receipt: TransactionReceipt }
  | { status: 'dropped'; hash: null; receipt: null };

/**
 * Called at least once for every transaction, until it succeeded once. After a reorganisation deeper than the
 * confirmations it is called again, possibly with another outcome.
 */
export type SettlementHandler = (reference: string, outcome: TransactionOutcome) => Promise<void>;
