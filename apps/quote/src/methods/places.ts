import type { Geolocation, MessageIssue } from '@bascule/contracts';
import type { OnrampPlaces, Place } from '@bascule/providers';
import type { Ramp } from '../routing/route.js';
import { COUNTRY_RULES, type CountryRule } from './data/country-rules.js';

/**
 * Whether customers in a place are served. Only what is known excludes: somebody whose subdivision is unknown may be in
 * any of the country, and somebody whose country is unknown anywhere.
 */
export function areServed({ only, except }: OnrampPlaces, at: Geolocation | null): boolean {
  if (at === null) return true;
  const isNamed = only?.some((place) => mayBeIn(place, at)) ?? true;
  return isNamed && !(except?.some((place) => isIn(place, at)) ?? false);
}

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

/** As the provider says and the rules of countries allow. */
export const isSoldAt = (
  { method, places }: Pick<Ramp, 'method' | 'places'>,
  at: Geolocation | null,
  rules: readonly CountryRule[] = COUNTRY_RULES,
): boolean =>
  places.every((each) => areServed(each, at)) &&
  rules.every((rule) => !(rule.methods?.includes(method) ?? true) || areServed(rule.places, at));

/** The issue of a ramp that is not for customers there, or null. */
export function placeIssue(ramp: Ramp, at: Geolocation | undefined): MessageIssue | null {
  if (at === undefined || isSoldAt(ramp, at)) return null;
  const place = [at.alpha3_country_code, at.state_code].filter((part) => part !== '').join('-');
  const { provider, method, fiat } = ramp;
  const message = `${provider} does not take ${fiat} by ${method} in ${place}.`;
  return { kind: 'geolocation', message };
}
