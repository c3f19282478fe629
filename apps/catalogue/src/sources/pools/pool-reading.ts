import {
  compareDecimals,
  decimal,
  divDecimals,
  isZero,
  mulDecimals,
  unitsOf,
  valueOf,
  type Decimal,
} from '@bascule/amounts';
import { meanOfWindow, type PoolObservations } from './mean-of-window.js';
import type { PoolPair } from './pool-pairs.js';
import { quotePerBase } from './tick-price.js';

export interface PoolReading {
  pair: PoolPair;
  /** Average price of the base token over the window. */
  usd: Decimal;
}

/** Amounts, in smallest units, quoted to check a pool's depth. */
export interface Probe {
  base: bigint;
  quote: bigint;
}

const WHOLE_BPS = 10_000;
/** Pool fees are in hundredths of a basis point. */
const FEES_PER_BP = 100;

/** Computes the average price of a pool's base token; null for malformed observations. */
export function poolReading(
  pair: PoolPair,
  observations: PoolObservations,
  windowSeconds: number,
): PoolReading | null {
  const { base, quote } = pair;
  const tick = meanOfWindow(observations, windowSeconds);
  if (tick === null) return null;
  const baseIsToken0 = BigInt(base.address) < BigInt(quote.address);
  const price = quotePerBase({
    tick: baseIsToken0 ? tick : -tick,
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
  });
  const usd = mulDecimals(price, quote.usd);
  return isZero(usd) ? null : { pair, usd };
}

/** Amounts of both tokens that are worth `depthUsd`. */
export const probeOf = ({ pair, usd }: PoolReading, depthUsd: Decimal): Probe => ({
  base: unitsOf(depthUsd, pair.base.decimals, usd, 'down'),
  quote: unitsOf(depthUsd, pair.quote.decimals, pair.quote.usd, 'down'),
});

/**
 * Whether the pool trades the probe at its average in both directions: each sale must return, as `got`, the full
 * value less fee and tolerance, however the liquidity is spread.
 */
export function isBacked(
  { pair, usd }: PoolReading,
  o: { depthUsd: Decimal; toleranceBps: number; got: Probe },
): boolean {
  const lossBps = o.toleranceBps + Math.ceil(pair.fee / FEES_PER_BP);
  const kept = decimal(BigInt(Math.max(0, WHOLE_BPS - lossBps)));
  const least = divDecimals(mulDecimals(o.depthUsd, kept), String(WHOLE_BPS), 18, 'down');
  const forBase = valueOf(o.got.quote, pair.quote.decimals, pair.quote.usd);
  const forQuote = valueOf(o.got.base, pair.base.decimals, usd);
  return compareDecimals(forBase, least) >= 0 && compareDecimals(forQuote, least) >= 0;
}
