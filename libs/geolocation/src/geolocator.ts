import type { AddressLocation } from '@bascule/contracts';

/** Where an address is, as far as an offline database knows. A hint: nobody is let in for it. */
export abstract class Geolocator {
  /** Null for what is no public address, and for one that the database does not know. */
  abstract locate(address: string): AddressLocation | null;
}
