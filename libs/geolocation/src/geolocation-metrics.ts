import { Counter, Gauge, type Registry } from 'prom-client';
import type { WatchedDatabases } from './databases/watched-databases.js';

/** Read when they are asked for: the databases belong to the process, the metrics to a service. */
export function registerDatabaseMetrics(
  registry: Registry,
  databases: Pick<WatchedDatabases, 'state'>,
): void {
  new Gauge({
    name: 'geolocation_databases_in_use',
    help: 'Databases that addresses are looked up in.',
    registers: [registry],
    collect() {
      this.set(databases.state().filter(({ builtAt }) => builtAt !== undefined).length);
    },
  });
  new Gauge({
    name: 'geolocation_databases_refused',
    help: 'Database files that cannot be used as they are now; an older version may be in use.',
    registers: [registry],
    collect() {
      this.set(databases.state().filter(({ isRefused }) => isRefused).length);
    },
  });
  new Gauge({
    name: 'geolocation_database_built_timestamp_seconds',
    help: 'When the database that is in use was built; absent while none is.',
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
    help: 'Versions of a database file that could not be used.',
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
    help: 'Addresses asked about: located, unknown to every database, or not public ones.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of LOOKUP_OUTCOMES) lookups.inc({ outcome }, 0);
  return (outcome) => lookups.inc({ outcome });
}
