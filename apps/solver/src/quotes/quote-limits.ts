import { largestInputFor } from '../assets/fee.js';
import type { Route } from '../assets/route.js';

/** Current capacity of a route, in smallest units. */
export interface Capacity {
  /** Unreserved inventory of the output token. */
  inventory: bigint;
  /** The escrow's cap of one order. */
  orderCap: bigint;
  /** Room under the escrow's cap of all open orders. */
  outstandingRoom: bigint;
}

/** Inclusive limits of the input amount; a `max` below `min` means no capacity. */
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
