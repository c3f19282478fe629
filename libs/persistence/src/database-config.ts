import { integer, pem, sensitive, url } from '@bascule/process';

/** Environment variables of the database, to spread into a service's own. */
export const databaseEnv = {
  DATABASE_URL: sensitive(url({ desc: "Postgres, as the service's own role" })),
  DATABASE_DIRECT_URL: sensitive(
    url({
      default: undefined,
      desc: 'the same database without a pooler, for LISTEN and session locks',
    }),
  ),
  DATABASE_TLS_CA: pem({
    default: undefined,
    desc: 'PEM of the authority that signed the certificate of Postgres: TLS, verified against it',
  }),
  DATABASE_POOL_SIZE: integer({
    min: 1,
    default: 8,
    desc: 'connections of this service, relay and leases included',
  }),
};

export interface DatabaseConfig {
  url: string;
  /** Connection that bypasses a pooler; the same as `url` without one. */
  directUrl: string;
  poolSize: number;
  schema: string;
  /** PEM; with it every connection is encrypted and verified. Without, the URL's `sslmode` decides. */
  tlsCa?: string;
}

export function databaseConfig(
  env: {
    DATABASE_URL: string;
    DATABASE_DIRECT_URL?: string | undefined;
    DATABASE_TLS_CA?: string | undefined;
    DATABASE_POOL_SIZE: number;
  },
  schema: string,
): DatabaseConfig {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl = url, DATABASE_TLS_CA: tlsCa } = env;
  const poolSize = env.DATABASE_POOL_SIZE;
  if (tlsCa === undefined) return { url, directUrl, poolSize, schema };
  return {
    url: withoutSslMode(url),
    directUrl: withoutSslMode(directUrl),
    poolSize,
    schema,
    tlsCa,
  };
}

/** Removes TLS parameters from the URL, which would override the given authority. */
function withoutSslMode(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('sslmode');
  return url.href;
}

/** TLS options of the driver. */
export const tlsOptions = ({ tlsCa }: DatabaseConfig): { ssl?: { ca: string } } =>
  tlsCa === undefined ? {} : { ssl: { ca: tlsCa } };
