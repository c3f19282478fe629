import { compareDecimals } from '@bascule/amounts';
import type { PaymentMethod } from '@bascule/contracts';
import type {
  OnrampCoverage,
  OnrampLimits,
  OnrampMethodLimits,
  OnrampPlaces,
  OnrampSoldToken,
} from '../port/onramp-provider.js';
import type { ServedCountry } from './buy-config.js';
import type { BuyOptions } from './buy-options.js';
import { USA, type CustomerPlace } from './customer-place.js';
import { METHODS, type CoinbaseMethod } from './payment-methods.js';

/** Options of each place that was asked for. */
export type OptionsByPlace = readonly { place: CustomerPlace; options: BuyOptions }[];

/** Limits that hold in at least one place; a quote has those of its customer's place. */
const widest = (limits: readonly OnrampLimits[]): OnrampLimits | undefined =>
  limits.length === 0
    ? undefined
    : limits.reduce((one, other) => ({
        min: compareDecimals(one.min, other.min) <= 0 ? one.min : other.min,
        max: compareDecimals(one.max, other.max) >= 0 ? one.max : other.max,
      }));

function placesOf(
  method: CoinbaseMethod,
  countries: readonly ServedCountry[],
): OnrampPlaces | undefined {
  const offering = countries.filter(
    ({ alpha3, methods }) => methods.has(method.v1) && !(method.isOutsideUsa && alpha3 === USA),
  );
  return offering.length === countries.length
    ? undefined
    : { only: offering.map(({ alpha3 }) => alpha3) };
}

function soldTokens(asked: OptionsByPlace): OnrampSoldToken[] {
  const tokens = new Set(asked.flatMap(({ options }) => options.assets.map(({ token }) => token)));
  return [...tokens].map((token) => {
    const except = asked
      .filter(({ options }) => !options.assets.some((asset) => asset.token === token))
      .map(({ place }) => place.place);
    return { token, ...(except.length > 0 && { places: { except } }) };
  });
}

/** Coverage by the places that were asked for, and by the countries and methods of the configuration. */
export function coverageOf(
  countries: readonly ServedCountry[],
  asked: OptionsByPlace,
  methods: readonly PaymentMethod[],
): OnrampCoverage {
  const limitsOf = (fiat: string, v1: string) =>
    widest(asked.flatMap(({ options }) => options.fiats.get(fiat)?.get(v1) ?? []));
  const offered = (fiat: string): OnrampMethodLimits[] =>
    METHODS.offered(methods, fiat).flatMap(({ method, known }) => {
      const limits = limitsOf(fiat, known.v1);
      if (!limits) return [];
      const places = placesOf(known, countries);
      return [{ method, ...limits, ...(places && { places }) }];
    });
  const codes = new Set(asked.flatMap(({ options }) => [...options.fiats.keys()]));
  return {
    fiats: [...codes]
      .map((code) => ({ code, methods: offered(code) }))
      .filter((fiat) => fiat.methods.length > 0),
    tokens: soldTokens(asked),
    places: { only: countries.flatMap(({ places }) => places) },
  };
}
