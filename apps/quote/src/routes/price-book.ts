import {
  divDecimals,
  formatDecimal,
  isZero,
  parseDecimal,
  roundPrice,
  UNIT_PRICE,
  type Decimal,
} from '@bascule/amounts';
import type { AssetIdentifier, DecimalString } from '@bascule/contracts';

/** Decimals of converted prices; enough for the cheapest token in the strongest currency. */
const DECIMALS = 18;
const ONE = parseDecimal('1');

/** Required price that is missing, too old or rounds to zero. Prices are never estimated. */
export class MissingPriceError extends Error {
  constructor(readonly asset: AssetIdentifier) {
    super(`No current price of ${asset}.`);
    this.name = 'MissingPriceError';
  }
}

/**
 * Fresh prices in one currency, rounded once to ten significant digits. Calculations use exactly the prices that the
 * response shows, so clients can reproduce them.
 */
export class PriceBook {
  private readonly prices: ReadonlyMap<AssetIdentifier, Decimal>;

  private constructor(
    readonly currency: string,
    prices: Iterable<[AssetIdentifier, Decimal]>,
  ) {
    this.prices = new Map([...prices].filter(([, price]) => !isZero(price)));
  }

  /**
   * Converts `usdPrices` (US dollars per unit; a dollar is always a dollar) to a currency; empty without a rate of
   * that currency.
   */
  static in(currency: string, usdPrices: ReadonlyMap<AssetIdentifier, Decimal>): PriceBook {
    const known = new Map([...usdPrices, ['usd', ONE] as const]);
    const rate = known.get(currency);
    if (!rate || isZero(rate)) return new PriceBook(currency, []);
    return new PriceBook(
      currency,
      [...known].map(([asset, usd]) => [
        asset,
        asset === currency ? ONE : roundPrice(divDecimals(usd, rate, DECIMALS, 'down')),
      ]),
    );
  }

  has(asset: AssetIdentifier): boolean {
    return this.prices.has(asset);
  }

  /** @throws MissingPriceError */
  priceOf(asset: AssetIdentifier): Decimal {
    const price = this.prices.get(asset);
    if (!price) throw new MissingPriceError(this.prices.size === 0 ? this.currency : asset);
    return price;
  }

  /** Formats the known prices among `assets` for `current_prices`. */
  show(assets: Iterable<AssetIdentifier>): Record<AssetIdentifier, DecimalString> {
    return Object.fromEntries(
      [...new Set(assets)].flatMap((asset) => {
        const price = this.prices.get(asset);
        if (!price) return [];
        return [[asset, asset === this.currency ? UNIT_PRICE : formatDecimal(price)]];
      }),
    );
  }
}
