import type { CountryRules, Place } from '../events/country-rules-events.js';
import type { Geolocation } from '../http/wire.js';
import type { PaymentMethod } from '../http/payment-methods.js';

/** Allow list and deny list of places; an absent list restricts nothing. */
interface ServedPlaces {
  only?: readonly Place[] | undefined;
  except?: readonly Place[] | undefined;
}

/** Whether customers in a place are certainly served. A place without a subdivision may be any part of its country. */
export const isServed = ({ only, except }: ServedPlaces, at: Geolocation): boolean =>
  (only?.some((place) => isIn(place, at)) ?? true) &&
  !(except?.some((place) => mayBeIn(place, at)) ?? false);

/**
 * Finds the first place in which the rules refuse a customer.
 * @param method payment method of an onramp; only the prohibited places count without one
 */
export const refusedPlace = (
  { prohibited, methods }: CountryRules,
  places: readonly Geolocation[],
  method?: PaymentMethod,
): Geolocation | undefined =>
  places.find(
    (at) =>
      !isServed(
        { except: prohibited, only: method === undefined ? undefined : methods[method] },
        at,
      ),
  );

/** Names a place in a message. */
export const placeName = ({
  alpha3_country_code: country,
  state_code: state,
}: Geolocation): string => (state === '' ? `${country} or a part of it` : `${country}-${state}`);

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
