import type { Geolocation } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';

/**
 * The customer's addresses, as far as they are known: the one that is named, and that of a caller who uses a publishable
 * key, which is a page in the customer's browser. A caller with a secret key is somebody's server.
 */
export const customerAddresses = (
  named: string | undefined,
  { kind, clientIp }: Pick<Caller, 'kind' | 'clientIp'>,
): string[] => [...new Set([named ?? [], kind === 'publishable' ? (clientIp ?? []) : []].flat())];

/**
 * Where the customer is, by the addresses and as the caller says, as far as any of it is known; all of them count, so that
 * saying something never allows more.
 */
export function customerPlaces(
  said: { alpha3_country_code: string } | undefined,
  located: readonly (Geolocation | null)[],
): Geolocation[] {
  const byAddress = located.flatMap((at) =>
    at ? [{ alpha3_country_code: at.alpha3_country_code, state_code: at.state_code }] : [],
  );
  const isSaidElsewhere =
    said && !byAddress.some(({ alpha3_country_code: code }) => code === said.alpha3_country_code);
  return isSaidElsewhere
    ? [...byAddress, { alpha3_country_code: said.alpha3_country_code, state_code: '' }]
    : byAddress;
}
