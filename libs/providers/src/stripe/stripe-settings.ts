import type { KeyObject } from 'node:crypto';
import { compareDecimals } from '@bascule/amounts';
import { isTokenIdentifier, type PaymentMethod, type TokenIdentifier } from '@bascule/contracts';
import type { OnrampLimits, OnrampPlaces } from '../port/onramp-provider.js';
import { readCallbackKey } from '../wire/callback-key.js';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { readPlaces } from '../wire/places.js';
import { readTestMode } from '../wire/test-mode.js';
import type { StripePair } from './pairs.js';
import { METHODS } from './payment-methods.js';
import { DOCUMENTED_PLACES, documentedPlaces } from './places.js';

/** A token for sale. */
export interface SoldToken extends StripePair {
  token: TokenIdentifier;
  places?: OnrampPlaces;
}

/** Fields of a Stripe entry in `PROVIDERS` beside the common ones. */
export interface StripeSettings {
  callbackKey: KeyObject;
  /** Value of `Stripe-Version`; the account's own version when absent. */
  apiVersion?: string;
  /** Name of Base in `wallet_addresses` of a request. */
  baseNetworkKey: string;
  /** By lower-case fiat code. */
  limits: ReadonlyMap<string, OnrampLimits>;
  tokens: readonly SoldToken[];
  methods: readonly PaymentMethod[];
  places: OnrampPlaces;
}

/** Source currencies of Stripe's API. */
const FIATS = ['usd', 'eur', 'gbp'];
const NAME = /^[a-z0-9_]{1,40}$/;

function readLimits(limits: JsonObject, fiat: string): OnrampLimits {
  const ofFiat = limits.object(fiat);
  const [min, max] = [ofFiat.decimal('min'), ofFiat.decimal('max')];
  if (compareDecimals(min, '0') === 0 || compareDecimals(min, max) >= 0) {
    throw new UnreadableAnswer(`limits.${fiat}`, 'a range of amounts: min above 0 and below max');
  }
  return { min, max };
}

function readAllLimits(entry: JsonObject): StripeSettings['limits'] {
  const limits = entry.object('limits');
  const fiats = FIATS.filter((fiat) => limits.has(fiat));
  if (fiats.length === 0) {
    throw new UnreadableAnswer('limits', `an object with one of ${FIATS.join(', ')}`);
  }
  return new Map(fiats.map((fiat) => [fiat, readLimits(limits, fiat)]));
}

function readName(item: JsonObject, field: keyof StripePair): string {
  const name = item.string(field);
  if (!NAME.test(name)) throw new UnreadableAnswer(`tokens.${field}`, 'a name of Stripe');
  return name;
}

function readToken(item: JsonObject): SoldToken {
  const token = item.string('token').toLowerCase();
  if (!isTokenIdentifier(token)) {
    throw new UnreadableAnswer('tokens.token', `a token such as base:0x…: ${token}`);
  }
  const pair = { currency: readName(item, 'currency'), network: readName(item, 'network') };
  const places = readPlaces(item) ?? documentedPlaces(pair);
  return {
    ...pair,
    token,
    ...(places && { places }),
  };
}

function readTokens(entry: JsonObject): readonly SoldToken[] {
  const tokens = entry.objects('tokens').map(readToken);
  const names = tokens.flatMap(({ token, currency, network }) => [token, `${currency} ${network}`]);
  if (tokens.length === 0 || new Set(names).size !== names.length) {
    throw new UnreadableAnswer('tokens', 'a list of tokens, each with its own names');
  }
  return tokens;
}

/** @throws UnreadableAnswer */
export function readStripeSettings(entry: JsonObject): StripeSettings {
  readTestMode(entry, ['api_key']);
  return {
    callbackKey: readCallbackKey(entry),
    ...(entry.has('api_version') && { apiVersion: entry.string('api_version') }),
    baseNetworkKey: entry.has('base_network_key')
      ? entry.string('base_network_key')
      : 'base_network',
    limits: readAllLimits(entry),
    tokens: readTokens(entry),
    methods: METHODS.read(entry),
    places: readPlaces(entry) ?? DOCUMENTED_PLACES,
  };
}
