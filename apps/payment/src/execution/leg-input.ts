import { minAmount } from '@bascule/amounts';
import { parseDeclaration } from '@bascule/solidity';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import { depositedInTime } from '../life-cycle/funding.js';
import { heldOf } from '../life-cycle/wallet-ledger.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** Returns a leg of the owner's declaration. */
export function declaredLeg({ id, declaration }: PaymentRecord, legIndex: number): DeclaredLeg {
  const declared = parseDeclaration(declaration).legs[legIndex];
  if (!declared) throw new Error(`payment ${id} declares no leg ${legIndex}`);
  return declared;
}

/** Amounts that a leg takes from the wallet, in the smallest unit of its input token. */
export interface LegInput {
  /** Amount to convert or pay out. */
  amount: bigint;
  /** Fees in the declared order. */
  fees: bigint[];
  total: bigint;
}

/**
 * Amount that has arrived for the leg: the deposits in time, or the previous leg's delivery; at most the wallet's
 * balance.
 */
export function arrivedFor(payment: PaymentRecord, legIndex: number): bigint {
  if (legIndex === 0) return depositedInTime(payment);
  const token = payment.plan.legs[legIndex]?.input_token;
  const delivered = payment.legs[legIndex - 1]?.transfer?.filled?.amount;
  if (token === undefined || delivered === undefined) return 0n;
  return minAmount(delivered, heldOf(payment, token));
}

/** Quoted input of a leg, fees included. */
export const plannedInput = ({ plan }: PaymentRecord, legIndex: number): bigint =>
  BigInt(plan.legs[legIndex]?.input_amount ?? '0');

/**
 * Everything that arrived, up to the declared maximum; null where the fees leave nothing. Where less arrived than was
 * planned, every fee falls in proportion, rounded down: what is left then is at least the planned rest in the same
 * proportion, which the declared minimum allows for, and nobody chooses who bears a shortfall.
 */
export function legInput(declared: DeclaredLeg, arrived: bigint, planned: bigint): LegInput | null {
  const total = minAmount(arrived, declared.maxInput);
  const fees = declared.fees.map(({ cap }) => (total < planned ? (cap * total) / planned : cap));
  const amount = fees.reduce((left, fee) => left - fee, total);
  return amount > 0n ? { amount, fees, total } : null;
}
