import type { DecimalString, Geolocation, WrappedInteger } from './wire.js';

export interface NativeCurrency {
  name: string;
  symbol: string;
  decimals: number;
}

/** A value of `GET /chains`, keyed by the chain's name. */
export interface Chain {
  chain_id: WrappedInteger;
  network: string;
  address_family: 'EVM' | 'SOL' | 'BTC' | 'TON' | 'TRON';
  native_currency: NativeCurrency;
  is_testnet: boolean;
  explorer: string;
  image: string;
  /** The public RPC URL, never one with a key in it. */
  rpc: string;
}

export interface FiatAsset {
  issuer: string;
  name: string;
  symbol: string;
  decimals: number;
  image_url: string;
  sign?: string;
  alias?: string;
}

export interface TokenAsset {
  chain: string;
  /** Lower case; `0x` for the native currency. */
  address: string;
  name: string;
  symbol: string;
  decimals: number;
  image_url: string;
  is_native: boolean;
  alias?: string;
  coingecko_id?: string;
  /** Set on the native currency: symbol of its wrapped token. */
  wrapper?: string;
}

/** `GET /assets`: keyed by lower-case fiat code or token identifier. */
export type AssetsResponse = Record<string, FiatAsset | TokenAsset>;
export type ChainsResponse = Record<string, Chain>;
export type PricesResponse = Record<string, DecimalString>;

/** Region of an address. */
export interface AddressLocation extends Geolocation {
  /** Currency of the country: ISO 4217, lower case. */
  default_currency: string;
}
/** `GET /geolocation`: null for an address that is private, reserved or unknown. */
export type GeolocationResponse = AddressLocation | null;
