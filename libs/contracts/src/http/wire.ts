/** An integer too large for a JSON number: one key `#` whose value is a string of digits. */
export interface WrappedInteger {
  '#': string;
}

/** `chain:address`, lower case; the native currency of a chain has address `0x`. */
export type TokenIdentifier = `${string}:0x${string}`;

/** A token identifier or a lower-case fiat code. */
export type AssetIdentifier = string;

/** A decimal string in whole units of its asset, e.g. `"12.5"`; never a number. */
export type DecimalString = string;

/** An integer in the asset's smallest unit, as a string of digits. */
export type SmallestUnits = string;

/** ISO 8601 in UTC. */
export type Timestamp = string;

export interface AssetAmount {
  asset: AssetIdentifier;
  amount: DecimalString;
}

export interface Geolocation {
  /** ISO 3166-1. */
  alpha3_country_code: string;
  /** ISO 3166-2 without the country (`CA` of `US-CA`), or empty. */
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
