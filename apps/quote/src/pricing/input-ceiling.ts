import { mulDecimals, unitsOf } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { amountIssue, rangeText, type GivenAmount } from '../routes/amount-issue.js';
import { formatLimits } from '../routes/input-limits.js';
import { MissingPriceError, type PriceBook } from '../routes/price-book.js';

/** Source of the deployment's own limits. */
const SOURCE = 'deployment';

export interface Ceiling {
  prices: PriceBook;
  /** Largest value of an input in US dollars; null without a ceiling. */
  maxInputUsd: number | null;
}

/** Largest input in smallest units; null where the asset has no price, so that no route can be quoted. */
function largestInput({ asset, decimals }: GivenAmount, usd: number, prices: PriceBook) {
  try {
    const value = mulDecimals(String(usd), prices.priceOf('usd'));
    return unitsOf(value, decimals, prices.priceOf(asset), 'down');
  } catch (error) {
    if (!(error instanceof MissingPriceError)) throw error;
    return null;
  }
}

/** Issue of an input above the deployment's ceiling, or null. */
export function inputCeilingIssue(
  input: GivenAmount,
  { prices, maxInputUsd }: Ceiling,
): AmountIssue | null {
  if (maxInputUsd === null) return null;
  const max = largestInput(input, maxInputUsd, prices);
  if (max === null || input.units <= max) return null;
  const limits = formatLimits({ max }, input.decimals);
  const because = `but this service accepts ${rangeText(limits, input.symbol)} per payment.`;
  return amountIssue(input, { source: SOURCE, reason: 'TOO_HIGH', limits, because });
}
