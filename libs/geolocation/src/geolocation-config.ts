import { list, milliseconds } from '@bascule/process';

export const geolocationEnv = {
  GEOIP_DB: list({
    default: undefined,
    desc: 'City or Country databases (.mmdb) to locate addresses by, searched in this order; none: without any',
  }),
  GEOIP_CHECK_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'how often their files are looked at for a new version',
  }),
};

/** In `GEOIP_DB`: places are not found out, on purpose. An empty variable counts as absent, as everywhere. */
const NONE = 'none';

export interface GeolocationConfig {
  readonly GEOIP_DB: string[] | undefined;
  readonly GEOIP_CHECK_MS: number;
}

export interface GeolocationNeeds {
  /** Whether rules of places have to hold: nothing starts without a database then, unless it is told to. */
  readonly isRequired: boolean;
}

export const isDeclined = ({ GEOIP_DB }: GeolocationConfig): boolean => GEOIP_DB?.join() === NONE;
