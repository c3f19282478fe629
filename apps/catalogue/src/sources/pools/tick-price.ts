import { decimal, type Decimal } from '@bascule/amounts';

/** Fixed point: integers of 1/2^256. */
const BITS = 256n;
const ONE = 1n << BITS;
/** Price ratio of one Uniswap V3 tick. */
const TICK = (10_001n << BITS) / 10_000n;
const SCALE = 36;
export const MAX_TICK = 887_272;

/** Computes `1.0001^tick` in fixed point, far more exactly than a price needs. */
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
  /** Quote per base in smallest units is `1.0001^tick`. */
  tick: number;
  baseDecimals: number;
  quoteDecimals: number;
}

/** Whole units of the quote token per whole unit of the base token. */
export function quotePerBase({ tick, baseDecimals, quoteDecimals }: PairAtTick): Decimal {
  const shift = SCALE + baseDecimals - quoteDecimals;
  return decimal((priceAtTick(tick) * 10n ** BigInt(shift)) >> BITS, SCALE);
}
