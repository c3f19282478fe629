import { divDecimals, formatDecimal, isZero, parseDecimal, type Decimal } from '@bascule/amounts';
import type { PricesResponse } from '@bascule/contracts';

/** Enough for the cheapest token in the dearest currency. */
const DECIMALS = 18;
/** As the specification writes the price of a currency in itself. */
const ITSELF = '1.0';
const DOLLAR = parseDecimal('1');

/**
 * The prices of `assets` in `fiat`, which itself and `usd` are always part of. An asset without a fresh price is left
 * out; null when the currency itself has none, since nothing can be said then. A dollar is always a dollar.
 */
export function priceTable(
  fiat: string,
  assets: readonly string[],
  usdPriceOf: (asset: string) => Decimal | undefined,
): PricesResponse | null {
  const priceOf = (asset: string) => (asset === 'usd' ? DOLLAR : usdPriceOf(asset));
  const unit = priceOf(fiat);
  if (!unit) return null;
  const table: PricesResponse = {};
  for (const asset of new Set(['usd', ...assets])) {
    const usd = priceOf(asset);
    const price = usd && (fiat === 'usd' ? usd : divDecimals(usd, unit, DECIMALS, 'down'));
    // Too little to be written down is no price either.
    if (price && !isZero(price)) table[asset] = formatDecimal(price);
  }
  return { ...table, [fiat]: ITSELF };
}
