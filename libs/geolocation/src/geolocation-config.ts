import { list, milliseconds } from '@bascule/process';

export const geolocationEnv = {
  GEOIP_DB: list({
    default: undefined,
    desc: 'City or Country databases (.mmdb), searched in this order; none disables geolocation',
  }),
  GEOIP_CHECK_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'interval of checks for new database files',
  }),
};

/** Value of `GEOIP_DB` that disables geolocation. An empty variable counts as absent, as everywhere. */
const NONE = 'none';

export interface GeolocationConfig {
  readonly GEOIP_DB: string[] | undefined;
  readonly GEOIP_CHECK_MS: number;
}

export interface GeolocationNeeds {
  /** Location rules apply: a database is required at start unless explicitly disabled. */
  readonly isRequired: boolean;
}

export const isDeclined = ({ GEOIP_DB }: GeolocationConfig): boolean => GEOIP_DB?.join() === NONE;
