import type { JsonObject } from '../wire/json-object.js';

/** Stripe's names of a token: currency and network, such as `usdc` and `base`. */
export interface StripePair {
  currency: string;
  network: string;
}

const BASE = 'base';
/** Name of Base in Stripe's maps by network; its documentation has both. */
const BASE_KEY = 'base_network';

const networkOf = (name: string): string => (name === BASE_KEY ? BASE : name);

/** Fields that may hold a network in a map by network. */
export const networkKeys = (network: string): readonly string[] =>
  network === BASE ? [BASE, BASE_KEY] : [network];

/** Whether an item's destination is the pair. */
export const isOfPair = (item: JsonObject, { currency, network }: StripePair): boolean =>
  item.has('destination_currency') &&
  item.has('destination_network') &&
  item.string('destination_currency') === currency &&
  networkOf(item.string('destination_network')) === network;
