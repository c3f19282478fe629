import type { Geolocation } from '@bascule/contracts';
import type { OnrampCustomer } from '@bascule/providers';
import type { Amount } from './fee-breakdown.js';
import type { PriceBook } from './price-book.js';
import type { KnownAssets, KnownToken } from './known-asset.js';

/** What quoting any route of a request needs to know. */
export interface QuotingContext {
  assets: KnownAssets;
  /** What the customer gives. */
  input: Amount;
  customer: OnrampCustomer;
  /** All that is known of where the customer is. */
  places: readonly Geolocation[];
  prices: PriceBook;
  /** Whether a conversion or a bridge may give any value for any other. */
  anyPriceImpact: boolean;
  /** How much less than quoted each onramp, conversion and bridge may bring. */
  slippageBps: number;
}

export function tokenIn({ assets }: QuotingContext, id: string): KnownToken {
  const asset = assets.get(id);
  if (asset?.kind !== 'token') throw new Error(`${id} is not a listed token`);
  return asset;
}
