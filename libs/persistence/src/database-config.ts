import { bool, integer, pem, reloadable, sensitive, url, type Reloadable } from '@bascule/process';

/** Environment variables of the database, to spread into a service's own. */
export const databaseEnv = {
  DATABASE_URL: reloadable(sensitive(url({ desc: "Postgres, as the service's own role" }))),
  DATABASE_DIRECT_URL: reloadable(
    sensitive(
      url({
        default: undefined,
        desc: 'the same database without a pooler, for LISTEN and session locks',
      }),
    ),
  ),
  DATABASE_TLS_CA: pem({
    default: undefined,
    desc: 'PEM of the authority that signed the certificate of Postgres: TLS, verified against it',
  }),
  DATABASE_POOL_SIZE: integer({
    min: 1,
    default: 4,
    desc: 'connections of the pool; the outbox relay has one more',
  }),
  DATABASE_PREPARED_STATEMENTS: bool({
    default: undefined,
    desc: 'names prepared statements; without a pooler by default, true needs one that supports them',
  }),
};

/** Connections take the URLs of the time when they are opened: a reloaded one applies to new connections. */
export interface DatabaseConfig {
  readonly url: string;
  /** Connection that bypasses a pooler; the same as `url` without one. */
  readonly directUrl: string;
  /** Whether sessions keep named prepared statements; without a pooler by default. */
  preparedStatements?: boolean;
  poolSize: number;
  schema: string;
  /** PEM; with it every connection is encrypted and verified. Without, the URL's `sslmode` decides. */
  tlsCa?: string;
}

export function databaseConfig(
  env: {
    DATABASE_URL: Reloadable<string>;
    DATABASE_DIRECT_URL?: Reloadable<string> | undefined;
    DATABASE_TLS_CA?: string | undefined;
    DATABASE_POOL_SIZE: number;
    DATABASE_PREPARED_STATEMENTS?: boolean | undefined;
  },
  schema: string,
): DatabaseConfig {
  const { DATABASE_URL: urls, DATABASE_DIRECT_URL: directUrls = urls } = env;
  const { DATABASE_TLS_CA: tlsCa } = env;
  const { DATABASE_POOL_SIZE: poolSize, DATABASE_PREPARED_STATEMENTS: preparedStatements } = env;
  const connectionUrl = (url: string): string => (tlsCa === undefined ? url : withoutSslMode(url));
  return {
    get url() {
      return connectionUrl(urls.current);
    },
    get directUrl() {
      return connectionUrl(directUrls.current);
    },
    poolSize,
    schema,
    ...(preparedStatements !== undefined && { preparedStatements }),
    ...(tlsCa !== undefined && { tlsCa }),
  };
}

/** Whether a pooler gives sessions to transactions, so that nothing of a session outlives one. */
export const hasPooler = ({ url, directUrl }: DatabaseConfig): boolean =>
  new URL(url).host !== new URL(directUrl).host;

/** Whether statements are prepared by name, for later executions in the same session. */
export const preparesByName = (database: DatabaseConfig): boolean =>
  database.preparedStatements ?? !hasPooler(database);

/** Removes TLS parameters from the URL, which would override the given authority. */
function withoutSslMode(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('sslmode');
  return url.href;
}

/** TLS options of the driver. */
export const tlsOptions = ({ tlsCa }: DatabaseConfig): { ssl?: { ca: string } } =>
  tlsCa === undefined ? {} : { ssl: { ca: tlsCa } };
