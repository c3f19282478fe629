import { largestInputFor } from '../assets/fee.js';
import type { Route } from '../assets/route.js';

/** Current capacity of a route, in smallest units. */
export interface Capacity {
  /** Unreserved inventory of the output token. */
  inventory: bigint;
  /** Largest order that the escrow accepts, by its caps of one order and of all open ones. */
  escrowRoom: bigint;
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

export function quoteLimits(
  { fee, minAmount }: Route,
  { inventory, escrowRoom }: Capacity,
): QuoteLimits {
  const worthwhile = largestInputFor(0n, fee) + 1n;
  const fillable = inventory > 0n ? largestInputFor(inventory, fee) : 0n;
  // Below zero where a cap was lowered below what is open.
  const room = escrowRoom > 0n ? escrowRoom : 0n;
  return {
    min: worthwhile > minAmount ? worthwhile : minAmount,
    max: fillable < room ? fillable : room,
  };
}
