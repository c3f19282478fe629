import type { Geolocation } from '@bascule/contracts';

/**
 * Where a customer is, as far as it is known. What the caller says of the country counts before what the address says;
 * only an address tells the subdivision.
 */
export function customerPlace(
  said: { alpha3_country_code: string } | undefined,
  located: Geolocation | null,
): Geolocation | null {
  if (said && said.alpha3_country_code !== located?.alpha3_country_code) {
    return { alpha3_country_code: said.alpha3_country_code, state_code: '' };
  }
  return (
    located && {
      alpha3_country_code: located.alpha3_country_code,
      state_code: located.state_code,
    }
  );
}
