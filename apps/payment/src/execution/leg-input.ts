import { minAmount } from '@bascule/amounts';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import { depositedInTime } from '../life-cycle/funding.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** What a leg takes from the wallet, in the smallest unit of its input token. */
export interface LegInput {
  /** To be converted or paid out. */
  amount: bigint;
  /** As declared, in the declared order. */
  fees: bigint[];
  total: bigint;
}

/** What has arrived for the leg: the deposits in time, or what the leg before produced. */
export function arrivedFor(payment: PaymentRecord, legIndex: number): bigint {
  return legIndex === 0
    ? depositedInTime(payment)
    : (payment.legs[legIndex - 1]?.settlement?.output ?? 0n);
}

/** All that arrived, as far as the declaration lets the leg take it; null when the fees would leave nothing. */
export function legInput(declared: DeclaredLeg, arrived: bigint): LegInput | null {
  const total = minAmount(arrived, declared.maxInput);
  const fees = declared.fees.map(({ cap }) => cap);
  const amount = fees.reduce((rest, fee) => rest - fee, total);
  return amount > 0n ? { amount, fees, total } : null;
}
