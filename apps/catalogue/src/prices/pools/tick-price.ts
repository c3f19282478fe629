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

/**
 * How much of the quote token a full-range position of this liquidity would hold, in whole units. Moving the price by a
 * small part p takes p/2 of it, so it measures what a manipulation costs.
 */
export function quoteReserve({ tick, quoteDecimals }: PairAtTick, liquidity: bigint): Decimal {
  const squareRoot = sqrt(priceAtTick(tick) << BITS);
  return decimal((liquidity * squareRoot) >> BITS, quoteDecimals);
}

function sqrt(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
