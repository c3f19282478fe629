import type {
  AssetIdentifier,
  ChainName,
  DecimalString,
  FiatCode,
  Geolocation,
  WrappedInteger,
} from './wire.js';

/** Currency in which a chain's gas is paid. */
export interface NativeCurrency {
  /** Name of the currency. */
  name: string;
  /** Symbol of the currency. */
  symbol: string;
  /**
   * Digits after the decimal point in one whole unit.
   * @asType integer
   * @minimum 0
   */
  decimals: number;
}

/** Chain and its public endpoints. */
export interface Chain {
  /** Chain id (EIP-155). */
  chain_id: WrappedInteger;
  /** Name for display. */
  network: string;
  /** Format of addresses; only `EVM` chains are supported today. */
  address_family: 'EVM' | 'SOL' | 'BTC' | 'TON' | 'TRON';
  /** Currency in which gas is paid. */
  native_currency: NativeCurrency;
  /** True for test networks. */
  is_testnet: boolean;
  /** Base URL of the block explorer, with a final slash: append `tx/<hash>`. */
  explorer: string;
  /** URI of the chain's logo. */
  image: string;
  /** The public RPC URL, never one with a key in it. */
  rpc: string;
}

/** Fiat currency. */
export interface FiatAsset {
  /** Central bank or other issuer. */
  issuer: string;
  /** Name for display. */
  name: string;
  /** Code in upper case. */
  symbol: string;
  /**
   * Digits after the decimal point in one whole unit.
   * @asType integer
   * @minimum 0
   */
  decimals: number;
  /** URI of the logo. */
  image_url: string;
  /** Currency sign. */
  sign?: string;
  /** Further name. */
  alias?: string;
}

/** Token or native currency of a chain. */
export interface TokenAsset {
  /** Chain of the token. */
  chain: ChainName;
  /**
   * Lower case; `0x` for the native currency.
   * @pattern ^0x([a-f0-9]{40})?$
   */
  address: string;
  /** Name for display. */
  name: string;
  /** Symbol of the token. */
  symbol: string;
  /**
   * Digits after the decimal point in one whole unit.
   * @asType integer
   * @minimum 0
   */
  decimals: number;
  /** URI of the logo. */
  image_url: string;
  /** True for the chain's own currency. */
  is_native: boolean;
  /** Further name. */
  alias?: string;
  /** Id of the asset at CoinGecko. */
  coingecko_id?: string;
  /** Symbol of the wrapped token; only on a native currency. */
  wrapper?: string;
}

/** Assets, keyed by lower-case fiat code or token identifier. */
export type AssetsResponse = Record<AssetIdentifier, FiatAsset | TokenAsset>;
/** Chains, keyed by name. */
export type ChainsResponse = Record<ChainName, Chain>;
/** Prices of one unit in the requested fiat, keyed by lower-case fiat code or token identifier. */
export type PricesResponse = Record<AssetIdentifier, DecimalString>;

/** Region of an address. */
export interface AddressLocation extends Geolocation {
  /** Currency of the country: ISO 4217, lower case. */
  default_currency: FiatCode;
}
/** Region of the address; null for an address that is private, reserved or unknown. */
export type GeolocationResponse = AddressLocation | null;
