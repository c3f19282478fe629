import { divDecimals, formatDecimal, type Decimal } from '@bascule/amounts';
import type { PricesResponse } from '@bascule/contracts';

/** Enough for the cheapest token in the dearest currency. */
const DECIMALS = 18;
/** As the specification writes the price of a currency in itself. */
const ITSELF = '1.0';

/**
 * The prices of `assets` in `fiat`, which itself and `usd` are always part of. An asset without a fresh price is left
 * out; null when the currency itself has none, since nothing can be said then.
 */
export function priceTable(
  fiat: string,
  assets: readonly string[],
  usdPrices: ReadonlyMap<string, Decimal>,
): PricesResponse | null {
  const unit = usdPrices.get(fiat);
  if (!unit) return null;
  const inFiat = (usd: Decimal): string =>
    formatDecimal(fiat === 'usd' ? usd : divDecimals(usd, unit, DECIMALS, 'down'));
  const table: PricesResponse = {};
  for (const asset of new Set(['usd', ...assets])) {
    const usd = usdPrices.get(asset);
    if (usd) table[asset] = inFiat(usd);
  }
  return { ...table, [fiat]: ITSELF };
}
