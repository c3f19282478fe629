import { divDecimals, formatDecimal, parseDecimal, type Decimal } from '@bascule/amounts';
import type { AssetIdentifier, DecimalString } from '@bascule/contracts';

/** Enough for the cheapest token in the dearest currency. */
const DECIMALS = 18;

/** A price that a calculation needs and that nobody has observed lately. Never guessed. */
export class MissingPriceError extends Error {
  constructor(readonly asset: AssetIdentifier) {
    super(`There is no current price of ${asset}.`);
    this.name = 'MissingPriceError';
  }
}

/**
 * Fresh prices in one currency, rounded once: calculations use the very prices that the response shows, so that
 * whoever recalculates with those gets the same.
 */
export class PriceBook {
  private readonly prices: ReadonlyMap<AssetIdentifier, Decimal>;

  private constructor(
    readonly currency: string,
    prices: Iterable<[AssetIdentifier, Decimal]>,
  ) {
    this.prices = new Map(prices);
  }

  /** `usdPrices` in US dollars per unit; without the currency's own rate the book is empty. */
  static in(currency: string, usdPrices: ReadonlyMap<AssetIdentifier, Decimal>): PriceBook {
    if (currency === 'usd') return new PriceBook(currency, usdPrices);
    const rate = usdPrices.get(currency);
    if (!rate) return new PriceBook(currency, []);
    return new PriceBook(
      currency,
      [...usdPrices].map(([asset, usd]) => [
        asset,
        asset === currency ? parseDecimal('1') : divDecimals(usd, rate, DECIMALS, 'down'),
      ]),
    );
  }

  /** @throws MissingPriceError */
  priceOf(asset: AssetIdentifier): Decimal {
    const price = this.prices.get(asset);
    if (!price) throw new MissingPriceError(this.prices.size === 0 ? this.currency : asset);
    return price;
  }

  /** The prices of those of `assets` that have one, as `current_prices` shows them. */
  show(assets: Iterable<AssetIdentifier>): Record<AssetIdentifier, DecimalString> {
    return Object.fromEntries(
      [...new Set(assets)].flatMap((asset) => {
        const price = this.prices.get(asset);
        return price ? [[asset, formatDecimal(price)]] : [];
      }),
    );
  }
}
