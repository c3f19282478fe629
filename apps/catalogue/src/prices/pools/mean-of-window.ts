import { MAX_TICK } from './tick-price.js';

/** What `observe([window, 0])` of a Uniswap V3 pool answers: two running sums, at the window's start and at its end. */
export interface PoolObservations {
  tickCumulatives: readonly bigint[];
  secondsPerLiquidityCumulativeX128s: readonly bigint[];
}

export interface PoolMean {
  /** Arithmetic mean over the window, rounded down: the geometric mean of the price. */
  tick: number;
  /** Harmonic mean over the window, so liquidity that came for a moment hardly counts. */
  liquidity: bigint;
}

const MAX_UINT160 = (1n << 160n) - 1n;

/** The means over the window, as Uniswap's OracleLibrary has them; null when the pool's answer makes no sense. */
export function meanOfWindow(
  { tickCumulatives, secondsPerLiquidityCumulativeX128s }: PoolObservations,
  windowSeconds: number,
): PoolMean | null {
  const [ticksBefore, ticksNow] = tickCumulatives;
  const [sharesBefore, sharesNow] = secondsPerLiquidityCumulativeX128s;
  if (ticksBefore === undefined || ticksNow === undefined) return null;
  if (sharesBefore === undefined || sharesNow === undefined) return null;
  const window = BigInt(windowSeconds);
  const tick = Number(floorDivide(ticksNow - ticksBefore, window));
  // The sum is a uint160 that wraps around.
  const shares = (sharesNow - sharesBefore) & MAX_UINT160;
  if (shares === 0n || Math.abs(tick) > MAX_TICK) return null;
  return { tick, liquidity: (window * MAX_UINT160) / (shares << 32n) };
}

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}
