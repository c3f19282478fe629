import {
  divDecimals,
  formatDecimal,
  isZero,
  parseDecimal,
  roundPrice,
  UNIT_PRICE,
  type Decimal,
} from '@bascule/amounts';
import type { PricesResponse } from '@bascule/contracts';

/** Enough for the cheapest token in the dearest currency. */
const DECIMALS = 18;
const DOLLAR = parseDecimal('1');

/**
 * Prices `assets`, `usd` and `fiat` itself in `fiat`. Assets without a fresh price are left out; null when `fiat` has
 * none. A dollar is always worth one dollar.
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
    // A price that rounds to zero is left out.
    if (price && !isZero(price)) table[asset] = formatDecimal(roundPrice(price));
  }
  return { ...table, [fiat]: UNIT_PRICE };
}
