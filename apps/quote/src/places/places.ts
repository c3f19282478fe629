import { isServed, placeName, refusedPlace } from '@bascule/contracts';
import type { CountryRules, Geolocation, MessageIssue } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import type { Ramp } from '../routes/route.js';

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

/** Whether the provider and the country rules allow a ramp in each of the places; true when no place is known. */
export const isSoldIn = (
  { method, places: served }: Pick<Ramp, 'method' | 'places'>,
  places: readonly Geolocation[],
  rules: CountryRules,
): boolean =>
  refusedPlace(rules, places, method) === undefined &&
  places.every((at) => served.every((each) => isServed(each, at)));

/** Issue of a ramp that is not sold in one of the places, or null. */
export function placeIssue(
  ramp: Ramp,
  places: readonly Geolocation[],
  rules: CountryRules,
): MessageIssue | null {
  const at = places.find((place) => !isSoldIn(ramp, [place], rules));
  if (!at) return null;
  const { provider, method, fiat } = ramp;
  return {
    kind: 'geolocation',
    message: `${provider} does not sell for ${fiat} by ${method} in ${placeName(at)}.`,
  };
}
