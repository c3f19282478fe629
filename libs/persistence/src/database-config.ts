import { integer, sensitive, url } from '@bascule/process';

/** Spread into a service's own table of variables. */
export const databaseEnv = {
  DATABASE_URL: sensitive(url({ desc: "Postgres, as the service's own role" })),
  DATABASE_DIRECT_URL: sensitive(
    url({
      default: undefined,
      desc: 'the same database without a pooler, for LISTEN and session locks',
    }),
  ),
  DATABASE_POOL_SIZE: integer({
    min: 1,
    default: 8,
    desc: 'connections of this service, relay and leases included',
  }),
};

export interface DatabaseConfig {
  url: string;
  /** Bypasses a pooler; the same as `url` when there is none. */
  directUrl: string;
  poolSize: number;
  schema: string;
}

export function databaseConfig(
  env: {
    DATABASE_URL: string;
    DATABASE_DIRECT_URL?: string | undefined;
    DATABASE_POOL_SIZE: number;
  },
  schema: string,
): DatabaseConfig {
  return {
    url: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    schema,
  };
}
