import { convert } from '@bascule/amounts';
import type { TokenIdentifier } from '@bascule/contracts';
import type { PriceBook } from '../routes/price-book.js';

export interface PayingToken {
  id: TokenIdentifier;
  decimals: number;
}

/**
 * What `gas` costs, in the smallest unit of the token it is paid in; rounded up.
 * @throws MissingPriceError
 */
export function networkFee(o: {
  gas: bigint;
  /** Wei per unit of gas. */
  gasPrice: bigint;
  native: PayingToken;
  token: PayingToken;
  prices: PriceBook;
}): bigint {
  const cost = o.gas * o.gasPrice;
  if (o.token.id === o.native.id) return cost;
  return convert(
    cost,
    o.native.decimals,
    o.prices.priceOf(o.native.id),
    o.token.decimals,
    o.prices.priceOf(o.token.id),
    'up',
  );
}
