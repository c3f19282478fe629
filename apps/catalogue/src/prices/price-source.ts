import type { Decimal } from '@bascule/amounts';

/** One unit of an asset (token or fiat) in US dollars, as a source sees it now. */
export interface ObservedPrice {
  /** Lower-case fiat code or token identifier. */
  asset: string;
  usd: Decimal;
  source: string;
}

/** Where prices come from. What it has no reliable price for is left out. */
export interface PriceSource {
  readonly name: string;
  observe(now: Date): Promise<ObservedPrice[]>;
}

export const PRICE_SOURCES = Symbol('PRICE_SOURCES');
