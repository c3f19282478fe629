import type { CountryRules, CustomActions, Geolocation } from '@bascule/contracts';
import type { OnrampCustomer } from '@bascule/providers';
import type { GivenAmount } from './amount-issue.js';
import type { PriceBook } from './price-book.js';
import type { KnownAssets, KnownToken } from './known-asset.js';
import type { SourceCaches } from './request-cache.js';
import type { RevenueShare } from './revenue-share.js';

/** Facts of a request that quoting any of its routes needs. */
export interface RequestContext {
  assets: KnownAssets;
  /** Answers of sources to the questions of this request. */
  caches: SourceCaches;
  customer: OnrampCustomer;
  /** Possible places of the customer; all of them count. */
  places: readonly Geolocation[];
  countryRules: CountryRules;
  prices: PriceBook;
  /** Whether conversions and bridges may lose more value than usual. */
  allowsPriceImpact: boolean;
  /** Largest share of the input that fees may take, in basis points. */
  maxFeeBps: number;
  /** Largest value of an input in US dollars; null without a ceiling. */
  maxInputUsd: number | null;
  /** Tolerated shortfall of each onramp, conversion and bridge. */
  slippageBps: number;
  /** Revenue share that the request names; null without one. */
  revenueShare: RevenueShare | null;
  /** Calls on the last chain; null without any. */
  customActions: CustomActions | null;
}

/** Facts of a request, and the amount that a route is quoted for. */
export interface QuotingContext extends RequestContext {
  /** Amount that the customer gives. */
  input: GivenAmount;
}

export function requireToken({ assets }: Pick<RequestContext, 'assets'>, id: string): KnownToken {
  const asset = assets.get(id);
  if (asset?.kind !== 'token') throw new Error(`${id} is not a listed token`);
  return asset;
}
