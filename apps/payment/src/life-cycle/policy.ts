import { compareDecimals, valueOf } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { WalletHolding } from './payment-record.js';

/** Limits that a deployment sets for open payments. */
export interface PaymentPolicy {
  /** US dollars below which a rest in a wallet is not worth a withdrawal's fee. */
  readonly dustUsd: DecimalString;
  /** Time from full funding until a payment counts as stalled. */
  readonly stalledAfterMs: number;
  /** US dollars from sanctioned senders beyond which a payment is tainted. */
  readonly taintUsd: DecimalString;
}

/** Policy for the money on one chain. */
export type PolicyOn = (chain: string) => PaymentPolicy;

/** Takes the value of dust of each chain from the map; the policy's own for a chain without one. */
export const withDustOf =
  (policy: PaymentPolicy, dustUsd: ReadonlyMap<string, DecimalString>): PolicyOn =>
  (chain) => ({ ...policy, dustUsd: dustUsd.get(chain) ?? policy.dustUsd });

/** Limits of a leg's attempts. */
export interface ExecutionPatience {
  /** From the first failed attempt. */
  readonly patienceMs: number;
  readonly retryMs: number;
  /** Transactions, each of which costs gas even when it reverts. */
  readonly maxTransactions: number;
}

/** Without a price nothing is dust: an issue too many is better than money forgotten. */
export function isDust(holding: WalletHolding, policy: PaymentPolicy): boolean {
  if (holding.amount <= 0n) return true;
  if (holding.usdPrice === null) return false;
  const value = valueOf(holding.amount, holding.decimals, holding.usdPrice);
  return compareDecimals(value, policy.dustUsd) < 0;
}
