import type { KeyObject } from 'node:crypto';
import type { PaymentMethod } from '@bascule/contracts';
import { readCallbackKey } from '../wire/callback-key.js';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { parsePlace, type CustomerPlace } from './customer-place.js';
import { METHODS } from './payment-methods.js';
import { readSigningKey, type SigningKey } from './signing-key.js';

/** Fields of a Coinbase entry in `PROVIDERS` beside the common ones. */
export interface CoinbaseSettings {
  callbackKey: KeyObject;
  signingKey: SigningKey;
  /** Base URL of the v1 API; `base_url` is that of v2. */
  v1Url: string;
  /** Customer places whose assets and limits make the coverage, at least one. */
  places: readonly CustomerPlace[];
  methods: readonly PaymentMethod[];
  /** Orders are of Coinbase's sandbox. */
  isSandbox: boolean;
}

const USUAL_PLACES = ['USA-CA', 'DEU', 'GBR'];
const MAX_PLACES = 10;

function readPlaces(entry: JsonObject): readonly CustomerPlace[] {
  const texts = entry.has('places') ? entry.strings('places') : USUAL_PLACES;
  if (texts.length === 0 || texts.length > MAX_PLACES) {
    throw new UnreadableAnswer('places', `a list of 1 to ${MAX_PLACES} places`);
  }
  return texts.map((text) => {
    const place = parsePlace(text);
    if (place) return place;
    throw new UnreadableAnswer('places', `a list of places such as USA-CA and DEU: ${text}`);
  });
}

/** @throws UnreadableAnswer */
export const readCoinbaseSettings = (entry: JsonObject): CoinbaseSettings => ({
  callbackKey: readCallbackKey(entry),
  signingKey: readSigningKey(entry.string('api_secret')),
  v1Url: entry.httpUrl('v1_url'),
  places: readPlaces(entry),
  methods: METHODS.read(entry),
  isSandbox: entry.has('sandbox') && entry.boolean('sandbox'),
});
