import type { Geolocation, MessageIssue } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import type { OnrampPlaces, Place } from '@bascule/providers';
import type { Ramp } from '../routes/route.js';
import { COUNTRY_RULES, type CountryRule } from './country-rules.js';

/**
 * Known IP addresses of the customer: the one in the request, and the caller's where the key is publishable (a page in
 * the customer's browser). A caller with a secret key is a server, so its address is not the customer's.
 */
export const customerAddresses = (
  given: string | undefined,
  { kind, clientIp }: Pick<Caller, 'kind' | 'clientIp'>,
): string[] => [...new Set([given ?? [], kind === 'publishable' ? (clientIp ?? []) : []].flat())];

/**
 * Possible places of the customer by address and by the caller's claim. All of them count, so a claim only restricts.
 */
export function customerPlaces(
  claimed: { alpha3_country_code: string } | undefined,
  located: readonly (Geolocation | null)[],
): Geolocation[] {
  const byAddress = located.flatMap((at) =>
    at ? [{ alpha3_country_code: at.alpha3_country_code, state_code: at.state_code }] : [],
  );
  const isClaimedElsewhere =
    claimed &&
    !byAddress.some(({ alpha3_country_code: code }) => code === claimed.alpha3_country_code);
  return isClaimedElsewhere
    ? [...byAddress, { alpha3_country_code: claimed.alpha3_country_code, state_code: '' }]
    : byAddress;
}

/** Whether customers in a place are certainly served. A place without a subdivision may be any part of its country. */
export const isServed = ({ only, except }: OnrampPlaces, at: Geolocation): boolean =>
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
  places.every((each) => isServed(each, at)) &&
  rules.every((rule) => !(rule.methods?.includes(method) ?? true) || isServed(rule.places, at));

/** Whether provider and country rules allow a ramp in each of the places; true when no place is known. */
export const isSoldIn = (
  ramp: Pick<Ramp, 'method' | 'places'>,
  places: readonly Geolocation[],
  rules: readonly CountryRule[] = COUNTRY_RULES,
): boolean => places.every((at) => isSoldAt(ramp, at, rules));

/** Issue of a ramp that is not sold in one of the places, or null. */
export function placeIssue(ramp: Ramp, places: readonly Geolocation[]): MessageIssue | null {
  const at = places.find((place) => !isSoldIn(ramp, [place]));
  if (!at) return null;
  const { alpha3_country_code: country, state_code: state } = at;
  const where = state === '' ? `${country} or a part of it` : `${country}-${state}`;
  const { provider, method, fiat } = ramp;
  return {
    kind: 'geolocation',
    message: `${provider} does not sell for ${fiat} by ${method} in ${where}.`,
  };
}
