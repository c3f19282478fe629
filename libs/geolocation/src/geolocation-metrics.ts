import { Counter, Gauge, type Registry } from 'prom-client';
import type { WatchedDatabases } from './databases/watched-databases.js';

/** Metrics of one service, read from the databases of the process at each scrape. */
export function registerDatabaseMetrics(
  registry: Registry,
  databases: Pick<WatchedDatabases, 'state'>,
): void {
  new Gauge({
    name: 'geolocation_databases_in_use',
    help: 'Databases in use.',
    registers: [registry],
    collect() {
      this.set(databases.state().filter(({ builtAt }) => builtAt !== undefined).length);
    },
  });
  new Gauge({
    name: 'geolocation_databases_refused',
    help: 'Database files whose current version is unusable; an older one may be in use.',
    registers: [registry],
    collect() {
      this.set(databases.state().filter(({ isRefused }) => isRefused).length);
    },
  });
  new Gauge({
    name: 'geolocation_database_built_timestamp_seconds',
    help: 'Build time of the database in use; absent without one.',
    labelNames: ['file'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { path, builtAt } of databases.state()) {
        if (builtAt !== undefined) this.set({ file: path }, builtAt.getTime() / 1000);
      }
    },
  });
  new Counter({
    name: 'geolocation_database_failures_total',
    help: 'Unusable versions of a database file.',
    labelNames: ['file'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { path, failures } of databases.state()) this.inc({ file: path }, failures);
    },
  });
}

const LOOKUP_OUTCOMES = ['located', 'unknown', 'not_public'] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

export function lookupCounter(registry: Registry): (outcome: LookupOutcome) => void {
  const lookups = new Counter({
    name: 'geolocation_lookups_total',
    help: 'Lookups by result: located, unknown to every database, or not a public address.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of LOOKUP_OUTCOMES) lookups.inc({ outcome }, 0);
  return (outcome) => lookups.inc({ outcome });
}
