import { largestInputFor } from '../assets/fee.js';
import type { Route } from '../assets/route.js';

/** What can be carried now, in smallest units. */
export interface Capacity {
  /** Of the output token, less what other orders will take. */
  inventory: bigint;
  /** The most that the escrow takes in one order. */
  orderCap: bigint;
  /** What it still takes altogether. */
  outstandingRoom: bigint;
}

/** Of the input token, both ends included; nothing can be carried when the upper one is below the lower one. */
export interface QuoteLimits {
  min: bigint;
  max: bigint;
}

export const limitsBody = ({ min, max }: QuoteLimits) => ({
  min: min.toString(),
  max: max.toString(),
});

const smallest = (one: bigint, ...others: bigint[]): bigint =>
  others.reduce((least, other) => (other < least ? other : least), one);

export function quoteLimits({ fee, minAmount }: Route, capacity: Capacity): QuoteLimits {
  const worthwhile = largestInputFor(0n, fee) + 1n;
  const fillable = capacity.inventory > 0n ? largestInputFor(capacity.inventory, fee) : 0n;
  return {
    min: worthwhile > minAmount ? worthwhile : minAmount,
    max: smallest(fillable, capacity.orderCap, capacity.outstandingRoom),
  };
}
