import { compareDecimals, mulDecimals } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString, Quote, QuoteState } from '@bascule/contracts';

/**
 * What a quote pays out, in US dollars.
 * @param usdPerUnit dollars for one unit of the price currency, which may be the dollar itself
 * @returns undefined when the state has no price of the output
 */
export function outputValueUsd(
  quote: Quote,
  state: Pick<QuoteState, 'current_prices'>,
  usdPerUnit: DecimalString,
): Decimal | undefined {
  const { asset, amount } = quote.output_amount;
  const price = state.current_prices[asset];
  if (price === undefined) return undefined;
  return mulDecimals(mulDecimals(amount, price), usdPerUnit);
}

/** Owners of large payments prove that they can sign. */
export const needsOwnerVerification = (value: Decimal, thresholdUsd: DecimalString): boolean =>
  compareDecimals(value, thresholdUsd) >= 0;
