import type { OnrampPlaces } from '../port/onramp-provider.js';
import { UnreadableAnswer, type JsonObject } from './json-object.js';

const PLACE = /^[A-Z]{3}(-[A-Z0-9]{1,3})?$/;

function readList(places: JsonObject, name: 'only' | 'except'): OnrampPlaces {
  if (!places.has(name)) return {};
  const list = places.strings(name);
  if (!list.every((place) => PLACE.test(place))) {
    throw new UnreadableAnswer(name, 'a list of places such as USA and USA-NY');
  }
  return { [name]: list };
}

/** Reads `places: {only?, except?}`; undefined without it. @throws UnreadableAnswer */
export function readPlaces(item: JsonObject): OnrampPlaces | undefined {
  if (!item.has('places')) return undefined;
  const places = item.object('places');
  return { ...readList(places, 'only'), ...readList(places, 'except') };
}
