import { MAX_TICK } from './tick-price.js';

/** What `observe([window, 0])` of a Uniswap V3 pool answers: a running sum, at the window's start and at its end. */
export interface PoolObservations {
  tickCumulatives: readonly bigint[];
}

/**
 * The arithmetic mean of the tick over the window, rounded down as Uniswap's OracleLibrary does: the geometric mean of
 * the price. Null when the pool's answer makes no sense.
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
