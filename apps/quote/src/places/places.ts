import type { Geolocation, MessageIssue } from '@bascule/contracts';
import type { OnrampPlaces, Place } from '@bascule/providers';
import type { Ramp } from '../routes/route.js';
import { COUNTRY_RULES, type CountryRule } from './country-rules.js';

/** Whether customers in a place are served for certain: of whom only the country is known may be in any part of it. */
export const areServed = ({ only, except }: OnrampPlaces, at: Geolocation): boolean =>
  (only?.some((place) => isIn(place, at)) ?? true) &&
  !(except?.some((place) => mayBeIn(place, at)) ?? false);

const parts = (place: Place): [country: string, subdivision: string | undefined] => {
  const [country = '', subdivision] = place.split('-', 2);
  return [country, subdivision];
};

function isIn(place: Place, at: Geolocation): boolean {
  const [country, subdivision] = parts(place);
  return country === at.alpha3_country_code && (subdivision ?? at.state_code) === at.state_code;
}

const mayBeIn = (place: Place, at: Geolocation): boolean =>
  isIn(place, at) || (at.state_code === '' && parts(place)[0] === at.alpha3_country_code);

const isSoldAt = (
  { method, places }: Pick<Ramp, 'method' | 'places'>,
  at: Geolocation,
  rules: readonly CountryRule[],
): boolean =>
  places.every((each) => areServed(each, at)) &&
  rules.every((rule) => !(rule.methods?.includes(method) ?? true) || areServed(rule.places, at));

/** As the provider says and the rules of countries allow, in each of the places; anywhere when none is known. */
export const isSoldIn = (
  ramp: Pick<Ramp, 'method' | 'places'>,
  places: readonly Geolocation[],
  rules: readonly CountryRule[] = COUNTRY_RULES,
): boolean => places.every((at) => isSoldAt(ramp, at, rules));

/** The issue of a ramp that is not for customers there, or null. */
export function placeIssue(ramp: Ramp, places: readonly Geolocation[]): MessageIssue | null {
  const at = places.find((place) => !isSoldIn(ramp, [place]));
  if (!at) return null;
  const { alpha3_country_code: country, state_code: state } = at;
  const where = state === '' ? `${country}, or not everywhere there` : `${country}-${state}`;
  const { provider, method, fiat } = ramp;
  return {
    kind: 'geolocation',
    message: `${provider} does not take ${fiat} by ${method} in ${where}.`,
  };
}
