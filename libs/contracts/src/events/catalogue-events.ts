import type { Chain, FiatAsset, TokenAsset } from '../http/catalogue.js';
import type { DecimalString, Timestamp } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** A chain on which the deployment works. */
export interface ChainState extends Versioned {
  /**
   * Name of the chain, the part of a token identifier before the colon.
   * @example "base"
   */
  name: string;
  /** Facts about the chain, as `GET /chains` shows them. */
  chain: Chain;
}

/** A token or currency, and whether payments can use it. */
export interface AssetState extends Versioned {
  /** Lower-case fiat code or token identifier. */
  id: string;
  /** Facts about the asset, as `GET /assets` shows them. */
  asset: FiatAsset | TokenAsset;
  /** False once delisted: quotes no longer use it. */
  listed: boolean;
}

/** One unit of the asset (token or fiat) in US dollars. */
export interface PriceState extends Versioned {
  /** Identifier of the asset: a lower-case fiat code or a token identifier. */
  asset: string;
  /** US dollars for one whole unit. */
  usd: DecimalString;
  /** Time of the observation. */
  observed_at: Timestamp;
  /** Names of the price's sources; empty once no source has a price. */
  sources: string[];
}

export const CATALOGUE_EVENT_TYPES = ['chain.listed', 'asset.listed', 'asset.delisted'] as const;
export const PRICE_EVENT_TYPES = ['price.observed'] as const;

export type ChainListed = EventEnvelope<'chain.listed', ChainState>;
export type AssetListed = EventEnvelope<'asset.listed', AssetState>;
export type AssetDelisted = EventEnvelope<'asset.delisted', AssetState>;
export type CatalogueEvent = ChainListed | AssetListed | AssetDelisted;
export type PriceEvent = EventEnvelope<'price.observed', PriceState>;
