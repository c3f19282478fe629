import { basisPoints } from '@bascule/amounts';

const ALL_BPS = 10_000;

/** The least of `units` after so many things that may each bring less by the slippage; never nothing. */
export function atLeast(units: bigint, uncertainties: number, slippageBps: number): bigint {
  const bps = Math.min(slippageBps * uncertainties, ALL_BPS);
  const least = units - basisPoints(units, bps, 'down');
  return least > 0n ? least : 1n;
}
