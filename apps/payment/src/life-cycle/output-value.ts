import { mulDecimals } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString, Quote, QuoteState } from '@bascule/contracts';

/**
 * Value of a quote's output in US dollars.
 * @param usdPerUnit dollars for one unit of the price currency
 * @returns undefined without a price of the output
 */
export function outputValueUsd(
  quote: Pick<Quote, 'output_amount'>,
  state: Pick<QuoteState, 'current_prices'>,
  usdPerUnit: Decimal | DecimalString,
): Decimal | undefined {
  const { asset, amount } = quote.output_amount;
  const price = state.current_prices[asset];
  if (price === undefined) return undefined;
  return mulDecimals(mulDecimals(amount, price), usdPerUnit);
}
