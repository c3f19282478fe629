import type { Decimal } from '@bascule/amounts';
import type { ListedToken } from '../assets/listed-assets.js';

/** US dollar price of one unit of an asset (token or fiat) from one source. */
export interface SourceQuote {
  /** Lower-case fiat code or token identifier. */
  asset: string;
  usd: Decimal;
  source: string;
  /** Time of the quote by the source's own clock. */
  asOf: Date;
  /** Time at which the source last confirmed it: a feed confirms its round in every block. */
  confirmedAt: Date;
}

/** Assets to price. */
export interface PricedAssets {
  /** Lower-case codes. */
  fiats: readonly string[];
  tokens: readonly ListedToken[];
}

export interface Observation {
  /** Fresh quotes, at most one per asset and source; assets without a reliable price are left out. */
  quotes: SourceQuote[];
  /** Assets whose last quote is no longer valid. */
  retracted?: readonly string[];
  /** Errors of this observation; there may be quotes nevertheless. */
  errors: unknown[];
}

/** A source of prices. */
export interface PriceSource {
  readonly name: string;
  /** The circuit breaker is open after repeated failures. */
  readonly isCircuitOpen: boolean;
  /** Rejects when it has no result at all. */
  observe(now: Date, assets: PricedAssets): Promise<Observation>;
}

export const PRICE_SOURCES = Symbol('PRICE_SOURCES');
