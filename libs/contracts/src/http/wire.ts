/** Integer too large for a JSON number: one key `#` whose value is a string of digits. */
export interface WrappedInteger {
  /**
   * Integer in decimal digits.
   * @pattern ^[0-9]+$
   */
  '#': string;
}

/**
 * `chain:address`, lower case; the native currency of a chain has address `0x`.
 * @pattern ^[a-z]+:0x([a-f0-9]{40})?$
 */
export type TokenIdentifier = `${string}:0x${string}`;

/**
 * Token identifier or lower-case fiat code.
 * @pattern ^([a-z]{3}|[a-z]+:0x([a-f0-9]{40})?)$
 */
export type AssetIdentifier = string;

/**
 * Decimal string in whole units of its asset, e.g. `"12.5"`; never a number.
 * @pattern ^-?(0|[1-9][0-9]*)(\.[0-9]+)?$
 */
export type DecimalString = string;

/** Integer in the asset's smallest unit, as a string of digits. */
export type SmallestUnits = string;

/**
 * Time in ISO 8601, in UTC.
 * @format date-time
 */
export type Timestamp = string;

/**
 * UUID in lower case.
 * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$
 */
export type Uuid = string;

/**
 * Address of an account, checksummed (EIP-55).
 * @pattern ^0x[0-9a-fA-F]{40}$
 */
export type EvmAddress = string;

/**
 * Name of a chain, a key of `GET /chains`.
 * @pattern ^[a-z]+$
 */
export type ChainName = string;

/**
 * Fiat code of three letters, lower case.
 * @pattern ^[a-z]{3}$
 */
export type FiatCode = string;

/**
 * Name of a provider, lower case.
 * @pattern ^[a-z][a-z0-9_-]{0,63}$
 */
export type ProviderName = string;

/**
 * Hash of a transaction on its chain.
 * @pattern ^0x[0-9a-f]{64}$
 */
export type TransactionHash = string;

/**
 * Integer in decimal digits.
 * @pattern ^[0-9]+$
 */
export type IntegerString = string;

/** Amount of an asset. */
export interface AssetAmount {
  /** Asset of the amount. */
  asset: AssetIdentifier;
  /** Amount in whole units of the asset. */
  amount: DecimalString;
}

/** Country and region. */
export interface Geolocation {
  /** Country: ISO 3166-1 alpha-3 code. */
  alpha3_country_code: string;
  /** Region: ISO 3166-2 code without the country (`CA` of `US-CA`), or empty. */
  state_code: string;
}

const TOKEN_IDENTIFIER = /^[a-z]+:0x([a-fA-F0-9]{40})?$/;
const FIAT_CODE = /^[a-zA-Z]{3}$/;

export const isTokenIdentifier = (value: string): value is TokenIdentifier =>
  TOKEN_IDENTIFIER.test(value);

export const isFiatCode = (value: string): boolean => FIAT_CODE.test(value);

const NATIVE_ADDRESS = '0x0000000000000000000000000000000000000000';

/** `alphanet` and the zero address (or any ERC-20 address) to `alphanet:0x` (or `alphanet:0x…`). */
export function tokenIdentifier(chain: string, address: string): TokenIdentifier {
  const lower = address.toLowerCase();
  return `${chain}:${lower === NATIVE_ADDRESS ? '0x' : (lower as `0x${string}`)}`;
}

/** The inverse of {@link tokenIdentifier}: the native currency's address is the zero address. */
export function parseTokenIdentifier(token: TokenIdentifier): {
  chain: string;
  address: `0x${string}`;
} {
  const separator = token.indexOf(':');
  const address = token.slice(separator + 1).toLowerCase() as `0x${string}`;
  return {
    chain: token.slice(0, separator),
    address: address === '0x' ? NATIVE_ADDRESS : address,
  };
}
