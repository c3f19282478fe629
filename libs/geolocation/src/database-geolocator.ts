import type { AddressLocation } from '@bascule/contracts';
import { ConfigurationError } from '@bascule/process';
import type { OnModuleInit } from '@nestjs/common';
import { publicAddress, type PublicAddress } from './addresses/public-address.js';
import { placeOfRecord, type RecordedPlace } from './databases/place-of-record.js';
import type { WatchedDatabases } from './databases/watched-databases.js';
import type { LookupOutcome } from './geolocation-metrics.js';
import { Geolocator } from './geolocator.js';
import { countryOf } from './places/countries.js';
import { subdivisionCode } from './places/subdivisions.js';

export class DatabaseGeolocator extends Geolocator implements OnModuleInit {
  constructor(
    private readonly databases: Pick<WatchedDatabases, 'find' | 'state'>,
    private readonly isDatabaseRequired: boolean,
    private readonly count: (outcome: LookupOutcome) => void,
  ) {
    super();
  }

  /**
   * Must not run during construction: a failure there would leak started resources.
   *
   * @throws ConfigurationError when a database is required and none is readable
   */
  onModuleInit(): void {
    const isUsable = this.databases.state().some(({ builtAt }) => builtAt !== undefined);
    if (this.isDatabaseRequired && !isUsable) throw new ConfigurationError([NO_DATABASE]);
  }

  locate(address: string): AddressLocation | null {
    const wanted = publicAddress(address);
    const location = wanted === null ? null : this.locationOf(wanted);
    this.count(wanted === null ? 'not_public' : location === null ? 'unknown' : 'located');
    return location;
  }

  private locationOf(address: PublicAddress): AddressLocation | null {
    const place = placeOfRecord(this.databases.find(address));
    const country = place === null ? undefined : countryOf(place.country);
    if (place === null || country === undefined) return null;
    return {
      alpha3_country_code: country.alpha3,
      state_code: stateCode(country.alpha2, place),
      default_currency: country.currency,
    };
  }
}

const NO_DATABASE =
  'GEOIP_DB: could not read any geolocation database, so location rules would not apply; ' +
  'set it to "none" to start without a database';

const stateCode = (country: string, place: RecordedPlace): string =>
  place.subdivisionCode ??
  (place.subdivisionName === undefined
    ? ''
    : (subdivisionCode(country, place.subdivisionName) ?? ''));
