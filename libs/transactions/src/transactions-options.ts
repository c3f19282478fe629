import type { SignerConfig } from './signers.js';

export interface TransactionsOptions {
  /** By chain; a key belongs to one service only. */
  signers: Readonly<Record<string, SignerConfig>>;
  replaceAfterMs: number;
  pollMs?: number;
  /** How often the chain's nonces are compared with ours. */
  signerCheckMs?: number;
}

export const TRANSACTIONS_OPTIONS = Symbol('TRANSACTIONS_OPTIONS');
