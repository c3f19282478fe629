import type { Geolocation, Place } from '@bascule/contracts';
import { alpha2Of } from '../wire/countries.js';

/** Place of a customer in Coinbase's APIs. */
export interface CustomerPlace {
  place: Place;
  /** Alpha-2 code. */
  country: string;
  /** Code of the state, only in the USA: assets differ between its states. */
  subdivision?: string;
}

export const USA = 'USA';

/** Reads `DEU` or `USA-CA`; undefined for another text, and for the USA without a state. */
export function parsePlace(place: string): CustomerPlace | undefined {
  const [, alpha3 = '', subdivision] = /^([A-Z]{3})(?:-([A-Z0-9]{1,3}))?$/.exec(place) ?? [];
  const country = alpha2Of(alpha3);
  if (country === undefined) return undefined;
  if (alpha3 !== USA) return { place: alpha3, country };
  return subdivision === undefined ? undefined : { place, country, subdivision };
}

/** Place of a geolocation; undefined where Coinbase needs more than is known. */
export const placeOf = ({
  alpha3_country_code: country,
  state_code: state,
}: Geolocation): CustomerPlace | undefined =>
  parsePlace(state === '' ? country : `${country}-${state}`);

export const isInUsa = ({ place }: CustomerPlace): boolean => place.startsWith(USA);
