export interface TransactionsOptions {
  replaceAfterMs: number;
  /** Largest gas limit of a transaction; well below a block's. */
  maxGas: bigint;
  /** Time for which private transactions are sent to private endpoints alone; 60 s by default. */
  privateForMs?: number;
  pollMs?: number;
  /** Interval of the comparison of the chain's nonces with ours. */
  signerCheckMs?: number;
  /** Deadline of one pass over a transaction; 15 s by default. */
  deadlineMs?: number;
  /** Deadline of a signature; 5 s by default. */
  signTimeoutMs?: number;
}

export const TRANSACTIONS_OPTIONS = Symbol('TRANSACTIONS_OPTIONS');
