import { convert, valueOf, type Decimal } from '@bascule/amounts';
import type { AssetIdentifier } from '@bascule/contracts';
import type { PriceBook } from './price-book.js';

/** Exact amount in the asset's smallest unit. */
export interface Amount {
  asset: AssetIdentifier;
  decimals: number;
  units: bigint;
}

/** Value in the price currency. @throws MissingPriceError */
export const worth = ({ asset, decimals, units }: Amount, prices: PriceBook): Decimal =>
  valueOf(units, decimals, prices.priceOf(asset));

/** Units of another asset of equal value; an asset that equals itself needs no price. @throws MissingPriceError */
export const equalValue = (
  { asset, decimals, units }: Amount,
  other: Omit<Amount, 'units'>,
  prices: PriceBook,
  rounding: 'up' | 'down',
): bigint =>
  asset === other.asset
    ? units
    : convert(
        ...([units, decimals, prices.priceOf(asset)] as const),
        ...([other.decimals, prices.priceOf(other.asset), rounding] as const),
      );
