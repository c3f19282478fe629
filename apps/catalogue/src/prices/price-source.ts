import type { Decimal } from '@bascule/amounts';
import type { ListedToken } from '../assets/listed-assets.js';

/** One unit of an asset (token or fiat) in US dollars, as one source has it. */
export interface SourceQuote {
  /** Lower-case fiat code or token identifier. */
  asset: string;
  usd: Decimal;
  source: string;
  /** When it was made, by the source's own account. */
  asOf: Date;
  /** When the source last stood by it: a feed does so in every block, however long ago its answer was made. */
  saidAt: Date;
}

/** What there are prices of. */
export interface PricedAssets {
  /** Lower-case codes. */
  fiats: readonly string[];
  tokens: readonly ListedToken[];
}

export interface Observation {
  /** Fresh by the source's own measure, each asset at most once per source; what has no reliable price is left out. */
  quotes: SourceQuote[];
  /** Assets of which it knows that what it last said holds no more. */
  retracted?: readonly string[];
  /** What went wrong on the way, though there may be quotes all the same. */
  troubles: unknown[];
}

/** Where prices come from. */
export interface PriceSource {
  readonly name: string;
  /** It failed so often that it is left alone for a while. */
  readonly isCircuitOpen: boolean;
  /** Rejects when it can say nothing at all. */
  observe(now: Date, assets: PricedAssets): Promise<Observation>;
}

export const PRICE_SOURCES = Symbol('PRICE_SOURCES');
