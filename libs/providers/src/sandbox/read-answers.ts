import { tokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { UnreadableAnswer } from '../wire/json-object.js';
import type { JsonObject } from '../wire/json-object.js';
import type { OnrampCoverage, OnrampLimits, OnrampPlaces } from '../port/onramp-provider.js';
import { methodOfWire } from './payment-methods.js';

/** `contract` is null for a network's native currency. */
export function readToken(asset: JsonObject): TokenIdentifier {
  const network = asset.string('network');
  const contract = asset.has('contract') ? asset.string('contract') : NATIVE;
  if (!/^[a-z]+$/.test(network) || !/^0x[0-9a-fA-F]{40}$/.test(contract)) {
    throw new UnreadableAnswer('asset', 'a network and a contract address');
  }
  return tokenIdentifier(network, contract);
}

const NATIVE = '0x0000000000000000000000000000000000000000';

export const readLimits = (limits: JsonObject): OnrampLimits => ({
  min: limits.decimal('min'),
  max: limits.decimal('max'),
});

const PLACE = /^[A-Z]{3}(-[A-Z0-9]{1,3})?$/;

function readPlaceList(places: JsonObject, name: 'only' | 'except'): OnrampPlaces {
  if (!places.has(name)) return {};
  const list = places.strings(name);
  if (!list.every((place) => PLACE.test(place))) {
    throw new UnreadableAnswer(name, 'a list of countries and their subdivisions');
  }
  return { [name]: list };
}

/** `places: {only?, except?}` may restrict: on the provider, a payment method or an asset. */
function readPlaces(item: JsonObject): { places?: OnrampPlaces } {
  if (!item.has('places')) return {};
  const places = item.object('places');
  return { places: { ...readPlaceList(places, 'only'), ...readPlaceList(places, 'except') } };
}

/** Reads the coverage; payment methods unknown to Bascule are left out. */
export function readCoverage(answer: JsonObject): OnrampCoverage {
  return {
    fiats: answer.objects('fiats').map((fiat) => ({
      code: fiat.string('code').toLowerCase(),
      methods: fiat.objects('payment_methods').flatMap((item) => {
        const method = methodOfWire(item.string('id'));
        return method === undefined ? [] : [{ method, ...readLimits(item), ...readPlaces(item) }];
      }),
    })),
    tokens: answer.objects('assets').map((asset) => ({
      token: readToken(asset),
      ...readPlaces(asset),
    })),
    ...readPlaces(answer),
  };
}
