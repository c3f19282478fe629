import type { SignerConfig } from './signers.js';

export interface TransactionsOptions {
  /** Keys on each chain; a key belongs to one service only. */
  signers: Readonly<Record<string, SignerConfig>>;
  replaceAfterMs: number;
  /** Largest gas limit of a transaction; well below a block's. */
  maxGas: bigint;
  pollMs?: number;
  /** Interval of the comparison of the chain's nonces with ours. */
  signerCheckMs?: number;
  /** Deadline of a signature; 5 s by default. */
  signTimeoutMs?: number;
}

export const TRANSACTIONS_OPTIONS = Symbol('TRANSACTIONS_OPTIONS');
