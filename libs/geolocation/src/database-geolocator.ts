import type { AddressLocation } from '@bascule/contracts';
import { publicAddress } from './addresses/public-address.js';
import { placeOfRecord, type RecordedPlace } from './databases/place-of-record.js';
import type { WatchedDatabases } from './databases/watched-databases.js';
import { Geolocator } from './geolocator.js';
import { countryOf } from './places/countries.js';
import { subdivisionCode } from './places/subdivisions.js';

export class DatabaseGeolocator extends Geolocator {
  constructor(private readonly databases: Pick<WatchedDatabases, 'find'>) {
    super();
  }

  locate(address: string): AddressLocation | null {
    const wanted = publicAddress(address);
    if (wanted === null) return null;
    const place = placeOfRecord(this.databases.find(wanted));
    const country = place === null ? undefined : countryOf(place.country);
    if (place === null || country === undefined) return null;
    return {
      alpha3_country_code: country.alpha3,
      state_code: stateCode(country.alpha2, place),
      default_currency: country.currency,
    };
  }
}

const stateCode = (country: string, place: RecordedPlace): string =>
  place.subdivisionCode ??
  (place.subdivisionName === undefined
    ? ''
    : (subdivisionCode(country, place.subdivisionName) ?? ''));
