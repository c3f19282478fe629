import type { AddressLocation } from '@bascule/contracts';

/** Location of an address by an offline database: a hint, never proof of a location. */
export abstract class Geolocator {
  /** Returns null for an address that is not public or unknown to the database. */
  abstract locate(address: string): AddressLocation | null;
}
