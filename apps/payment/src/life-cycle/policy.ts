import { compareDecimals, valueOf, ZERO } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
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
  /** Whether money counts as clear whose sender cannot be known; else withdrawals and legs wait, as without a verdict. */
  readonly acceptsUnknownSenders: boolean;
}

/** Policy for the money on one chain. */
export type PolicyOn = (chain: string) => PaymentPolicy;

/** Takes the value of dust of each chain from the map; the policy's own for a chain without one. */
export const withDustOf =
  (policy: PaymentPolicy, dustUsd: ReadonlyMap<string, DecimalString>): PolicyOn =>
  (chain) => ({ ...policy, dustUsd: dustUsd.get(chain) ?? policy.dustUsd });

/** Raises the value of dust to the cost of a withdrawal, in dollars; null for an unknown cost. */
export const withCost = (policy: PaymentPolicy, cost: DecimalString | null): PaymentPolicy =>
  cost !== null && compareDecimals(cost, policy.dustUsd) > 0
    ? { ...policy, dustUsd: cost }
    : policy;

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
  return compareDecimals(valueOfHolding(holding), policy.dustUsd) < 0;
}

/** Dust by the policy for its chain. */
export const isDustOn = (holding: WalletHolding, policyOn: PolicyOn): boolean =>
  isDust(holding, policyOn(parseTokenIdentifier(holding.token).chain));

/** US dollars; zero without a price. */
const valueOfHolding = ({ amount, decimals, usdPrice }: WalletHolding): Decimal =>
  usdPrice === null ? ZERO : valueOf(amount, decimals, usdPrice);

/** Compares holdings for a list with the most valuable first; those without a price are last. */
export const mostValuableFirst = (one: WalletHolding, other: WalletHolding): number =>
  compareDecimals(valueOfHolding(other), valueOfHolding(one));
