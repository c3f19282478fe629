import { decimal, type Decimal } from '@bascule/amounts';

/** Fixed point: integers of 1/2^256. */
const BITS = 256n;
const ONE = 1n << BITS;
/** What one tick is worth in Uniswap V3. */
const TICK = (10_001n << BITS) / 10_000n;
const SCALE = 36;
export const MAX_TICK = 887_272;

/** `1.0001^tick` in fixed point, right to far more digits than a price has. */
export function priceAtTick(tick: number): bigint {
  let power = ONE;
  let square = TICK;
  for (let rest = Math.abs(tick); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = (power * square) >> BITS;
    square = (square * square) >> BITS;
  }
  return tick < 0 ? (ONE * ONE) / power : power;
}

export interface PairAtTick {
  /** Of the smallest units: quote per base is `1.0001^tick`. */
  tick: number;
  baseDecimals: number;
  quoteDecimals: number;
}

/** Whole units of the quote token per whole unit of the base token. */
export function quotePerBase({ tick, baseDecimals, quoteDecimals }: PairAtTick): Decimal {
  const shift = SCALE + baseDecimals - quoteDecimals;
  return decimal((priceAtTick(tick) * 10n ** BigInt(shift)) >> BITS, SCALE);
}
