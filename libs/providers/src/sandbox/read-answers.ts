import { tokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { readPlaces } from '../wire/places.js';
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

/** `places` may restrict: on the provider, a payment method or an asset. */
function restrictedTo(item: JsonObject): { places?: OnrampPlaces } {
  const places = readPlaces(item);
  return places === undefined ? {} : { places };
}

/** Reads the coverage; payment methods unknown to Bascule are left out. */
export function readCoverage(answer: JsonObject): OnrampCoverage {
  return {
    fiats: answer.objects('fiats').map((fiat) => ({
      code: fiat.string('code').toLowerCase(),
      methods: fiat.objects('payment_methods').flatMap((item) => {
        const method = methodOfWire(item.string('id'));
        return method === undefined ? [] : [{ method, ...readLimits(item), ...restrictedTo(item) }];
      }),
    })),
    tokens: answer.objects('assets').map((asset) => ({
      token: readToken(asset),
      ...restrictedTo(asset),
    })),
    ...restrictedTo(answer),
  };
}
