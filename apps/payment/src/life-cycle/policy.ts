import { compareDecimals, valueOf } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { WalletHolding } from './payment-record.js';

/** What a deployment decides about payments that are under way. */
export interface PaymentPolicy {
  /** US dollars below which what is left in a wallet is not worth a withdrawal's fee. */
  readonly dustUsd: DecimalString;
  /** How long a funded payment may take before it is called stalled. */
  readonly stalledAfterMs: number;
}

/** Limits of a leg's attempts. */
export interface ExecutionPatience {
  /** From the first failed attempt. */
  readonly patienceMs: number;
  readonly retryMs: number;
  /** Transactions, each of which costs gas even when it reverts. */
  readonly maxTransactions: number;
}

/** Without a known price nothing is dust: better an issue too many than money forgotten. */
export function isDust(holding: WalletHolding, policy: PaymentPolicy): boolean {
  if (holding.amount <= 0n) return true;
  if (holding.usdPrice === null) return false;
  const value = valueOf(holding.amount, holding.decimals, holding.usdPrice);
  return compareDecimals(value, policy.dustUsd) < 0;
}
