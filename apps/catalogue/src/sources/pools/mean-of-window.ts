import { MAX_TICK } from './tick-price.js';

/** Result of `observe([window, 0])` of a Uniswap V3 pool: cumulative ticks at the window's start and end. */
export interface PoolObservations {
  tickCumulatives: readonly bigint[];
}

/**
 * Computes the arithmetic mean of the tick over the window, which is the geometric mean of the price. Rounds down as
 * Uniswap's OracleLibrary does; null for malformed observations.
 */
export function meanOfWindow(
  { tickCumulatives }: PoolObservations,
  windowSeconds: number,
): number | null {
  const [before, now] = tickCumulatives;
  if (before === undefined || now === undefined) return null;
  const tick = Number(floorDivide(now - before, BigInt(windowSeconds)));
  return Math.abs(tick) > MAX_TICK ? null : tick;
}

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}
