import { list, milliseconds } from '@bascule/process';

export const geolocationEnv = {
  GEOIP_DB: list({
    default: undefined,
    desc: 'City or Country databases (.mmdb) to locate addresses by, searched in this order',
  }),
  GEOIP_CHECK_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'how often their files are looked at for a new version',
  }),
};

export interface GeolocationConfig {
  readonly GEOIP_DB: string[] | undefined;
  readonly GEOIP_CHECK_MS: number;
}
