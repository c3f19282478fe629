import type { Geolocation } from '@bascule/contracts';
import type { Caller } from '@bascule/http';

/**
 * The customer's address: the one that is named, else that of a caller who uses a publishable key, which is a page in
 * the customer's browser. A caller with a secret key is somebody's server.
 */
export const customerAddress = (
  named: string | undefined,
  { kind, clientIp }: Pick<Caller, 'kind' | 'clientIp'>,
): string | undefined => named ?? (kind === 'publishable' ? clientIp : undefined);

/**
 * Where the customer is, by the address and as the caller says, as far as either is known; all of them count, so that
 * saying something never allows more.
 */
export function customerPlaces(
  said: { alpha3_country_code: string } | undefined,
  located: Geolocation | null,
): Geolocation[] {
  const byAddress = located
    ? [{ alpha3_country_code: located.alpha3_country_code, state_code: located.state_code }]
    : [];
  return !said || said.alpha3_country_code === located?.alpha3_country_code
    ? byAddress
    : [...byAddress, { alpha3_country_code: said.alpha3_country_code, state_code: '' }];
}
