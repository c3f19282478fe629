import { compareDecimals, mulDecimals, type Decimal } from '@bascule/amounts';
import { meanOfWindow, type PoolObservations } from './mean-of-window.js';
import type { PoolPair } from './pool-pairs.js';
import { quotePerBase, quoteReserve } from './tick-price.js';

export interface PoolReading {
  assets: readonly string[];
  usd: Decimal;
  /** What the quote token's side of the pool is worth, in US dollars. */
  depthUsd: Decimal;
}

/** What a pool says its base token is worth; null when it is too thin to be believed. */
export function poolReading(
  { base, quote, assets }: PoolPair,
  observations: PoolObservations,
  o: { windowSeconds: number; minDepthUsd: Decimal },
): PoolReading | null {
  const mean = meanOfWindow(observations, o.windowSeconds);
  if (!mean) return null;
  const baseIsToken0 = BigInt(base.address) < BigInt(quote.address);
  const pair = {
    tick: baseIsToken0 ? mean.tick : -mean.tick,
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
  };
  const depthUsd = mulDecimals(quoteReserve(pair, mean.liquidity), quote.usd);
  if (compareDecimals(depthUsd, o.minDepthUsd) < 0) return null;
  return { assets, usd: mulDecimals(quotePerBase(pair), quote.usd), depthUsd };
}

/** Of each asset the reading of its deepest pool, the one that costs most to move. */
export function deepestReadings(readings: readonly PoolReading[]): Map<string, PoolReading> {
  const deepest = new Map<string, PoolReading>();
  for (const reading of readings) {
    for (const asset of reading.assets) {
      const other = deepest.get(asset);
      if (other && compareDecimals(other.depthUsd, reading.depthUsd) >= 0) continue;
      deepest.set(asset, reading);
    }
  }
  return deepest;
}
