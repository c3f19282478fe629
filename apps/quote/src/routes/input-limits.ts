import {
  addDecimals,
  decimal,
  divDecimals,
  formatAmount,
  mulDecimals,
  unitsOf,
} from '@bascule/amounts';
import type { AmountLimits } from '@bascule/contracts';
import { worth, type Amount } from './amount.js';
import type { PriceBook } from './price-book.js';

/** Significant digits of a limit. */
const DIGITS = 6;
/** Estimated limits are narrower by this much, so that an amount at the limit works. */
const MARGIN = { min: '1.01', max: '0.99' } as const;

/** Limits in smallest units; an absent one is open or unknown. */
export interface UnitLimits {
  min?: bigint;
  max?: bigint;
}

type Side = keyof UnitLimits;

/** Point of a route behind an onramp, conversion or bridge. */
export interface Stage {
  input: Amount;
  /** Amount that arrives there for the input. */
  reached: Amount;
  /** Network fees deducted before it. */
  networkFees: readonly Amount[];
}

/** Rounds to few digits: a minimum up, a maximum down. */
export function roundLimit(units: bigint, side: Side): bigint {
  const excess = units.toString().length - DIGITS;
  if (excess <= 0) return units;
  const step = 10n ** BigInt(excess);
  const down = (units / step) * step;
  return side === 'max' || down === units ? down : down + step;
}

/**
 * Estimates the input of which `limit` reaches a stage: network fees stay the same, every other loss is proportional.
 * @throws MissingPriceError
 */
export function inputReaching(limit: bigint, stage: Stage, prices: PriceBook, side: Side): bigint {
  const { input, reached } = stage;
  const fees = addDecimals(...stage.networkFees.map((fee) => worth(fee, prices)));
  const wanted = addDecimals(worth({ ...reached, units: limit }, prices), fees);
  const arrived = addDecimals(worth(reached, prices), fees);
  const scaled = mulDecimals(mulDecimals(decimal(input.units), wanted), MARGIN[side]);
  const { coefficient } = divDecimals(scaled, arrived, 0, side === 'min' ? 'up' : 'down');
  return roundLimit(coefficient, side);
}

/** Limits in smallest units, of limits in whole ones: a minimum rounded up, a maximum down. */
export const parseLimits = ({ min, max }: AmountLimits, decimals: number): UnitLimits => ({
  ...(min !== undefined && { min: unitsOf(min, decimals, '1', 'up') }),
  ...(max !== undefined && { max: unitsOf(max, decimals, '1', 'down') }),
});

/** Formats known limits in whole units, with few digits; empty where no amount is within them. */
export function formatLimits(limits: UnitLimits, decimals: number): AmountLimits {
  const min = limits.min === undefined ? undefined : roundLimit(limits.min, 'min');
  const max = limits.max === undefined ? undefined : roundLimit(limits.max, 'max');
  if (min !== undefined && max !== undefined && min > max) return {};
  return {
    ...(min !== undefined && { min: formatAmount(min, decimals) }),
    ...(max !== undefined && { max: formatAmount(max, decimals) }),
  };
}
