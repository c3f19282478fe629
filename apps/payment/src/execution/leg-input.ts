import { minAmount } from '@bascule/amounts';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import { depositedInTime } from '../life-cycle/funding.js';
import { heldOf } from '../life-cycle/wallet-ledger.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** What a leg takes from the wallet, in the smallest unit of its input token. */
export interface LegInput {
  /** To be converted or paid out. */
  amount: bigint;
  /** As declared, in the declared order. */
  fees: bigint[];
  total: bigint;
}

/**
 * What has arrived for the leg: the deposits in time, or what the bridge of the leg before delivered, as far as the
 * wallet still has it.
 */
export function arrivedFor(payment: PaymentRecord, legIndex: number): bigint {
  if (legIndex === 0) return depositedInTime(payment);
  const token = payment.plan.legs[legIndex]?.input_token;
  const delivered = payment.legs[legIndex - 1]?.transfer?.filled?.amount;
  if (token === undefined || delivered === undefined) return 0n;
  return minAmount(delivered, heldOf(payment, token));
}

export const plannedFor = (payment: PaymentRecord, legIndex: number): bigint =>
  BigInt(payment.plan.legs[legIndex]?.input_amount ?? '0');

/**
 * All that arrived, as far as the declaration lets the leg take it; null when the fees would leave nothing. An onramp
 * that delivers no more than its minimum leaves the leg short of what it was planned with, and a high fee would make
 * much of that little: the service takes that much less.
 * @param planned with the fees
 */
export function legInput(declared: DeclaredLeg, arrived: bigint, planned: bigint): LegInput | null {
  const total = minAmount(arrived, declared.maxInput);
  const caps = declared.fees.map(({ cap }) => cap);
  const fees = lowered(caps, planned - total);
  const amount = fees.reduce((left, fee) => left - fee, total);
  return amount > 0n ? { amount, fees, total } : null;
}

/** The fees less a shortfall, the first fee first; each stays at least zero. */
function lowered(caps: readonly bigint[], shortfall: bigint): bigint[] {
  let missing = shortfall > 0n ? shortfall : 0n;
  return caps.map((cap) => {
    const less = minAmount(cap, missing);
    missing -= less;
    return cap - less;
  });
}
