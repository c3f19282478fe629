import type { OnrampCustomer } from '../port/onramp-provider.js';
import { alpha2Of } from '../wire/countries.js';

/** Alpha-2 code of the customer's country; undefined while it is not known. */
export const countryOf = (customer: OnrampCustomer | undefined): string | undefined =>
  customer?.geolocation && alpha2Of(customer.geolocation.alpha3_country_code);
