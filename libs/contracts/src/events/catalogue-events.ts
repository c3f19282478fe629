import type { Chain, FiatAsset, TokenAsset } from '../http/catalogue.js';
import type { DecimalString, Timestamp } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

export interface ChainState extends Versioned {
  name: string;
  chain: Chain;
}

export interface AssetState extends Versioned {
  /** Lower-case fiat code or token identifier. */
  id: string;
  asset: FiatAsset | TokenAsset;
  listed: boolean;
}

/** One unit of the asset (token or fiat) in US dollars. */
export interface PriceState extends Versioned {
  asset: string;
  usd: DecimalString;
  observed_at: Timestamp;
  sources: string[];
}

export const CATALOGUE_EVENT_TYPES = ['chain.listed', 'asset.listed', 'asset.delisted'] as const;
export const PRICE_EVENT_TYPES = ['price.observed'] as const;

export type ChainListed = EventEnvelope<'chain.listed', ChainState>;
export type AssetListed = EventEnvelope<'asset.listed', AssetState>;
export type AssetDelisted = EventEnvelope<'asset.delisted', AssetState>;
export type CatalogueEvent = ChainListed | AssetListed | AssetDelisted;
export type PriceEvent = EventEnvelope<'price.observed', PriceState>;
