import { minAmount } from '@bascule/amounts';
import type { PlannedFee } from '@bascule/contracts';
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

/** Quoted input of a leg with the kinds of its fees, in the declared order. */
export interface PlannedInput {
  /** Fees included. */
  amount: bigint;
  feeKinds: readonly PlannedFee['kind'][];
}

export function plannedFor({ plan }: PaymentRecord, legIndex: number): PlannedInput {
  const leg = plan.legs[legIndex];
  return {
    amount: BigInt(leg?.input_amount ?? '0'),
    feeKinds: (leg?.fees ?? []).map(({ kind }) => kind),
  };
}

/**
 * Everything that arrived, up to the declared maximum; null where the fees leave nothing. Where less arrived than was
 * planned, as from an onramp that delivers its minimum, the fees are lowered: revenue shares in proportion to what
 * arrived, network fees by the rest of the shortfall.
 */
export function legInput(
  declared: DeclaredLeg,
  arrived: bigint,
  planned: PlannedInput,
): LegInput | null {
  const total = minAmount(arrived, declared.maxInput);
  const caps = declared.fees.map(({ cap }) => cap);
  const fees = total < planned.amount ? lowered(caps, total, planned) : caps;
  const amount = fees.reduce((left, fee) => left - fee, total);
  return amount > 0n ? { amount, fees, total } : null;
}

/**
 * Lowers fees by the shortfall of `total`: shares in proportion, rounded down, then network fees, the first one first
 * and none below zero.
 */
function lowered(
  caps: readonly bigint[],
  total: bigint,
  { amount, feeKinds }: PlannedInput,
): bigint[] {
  const isShare = (index: number): boolean => feeKinds[index] === 'business';
  const fees = caps.map((cap, index) => (isShare(index) ? (cap * total) / amount : cap));
  let missing = caps.reduce((sum, cap, index) => sum - cap + (fees[index] ?? 0n), amount - total);
  return fees.map((fee, index) => {
    if (isShare(index)) return fee;
    const less = minAmount(fee, missing > 0n ? missing : 0n);
    missing -= less;
    return fee - less;
  });
}
