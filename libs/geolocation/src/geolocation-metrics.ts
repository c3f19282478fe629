import { Counter, Gauge, type Registry } from 'prom-client';
import type { WatchedDatabases } from './databases/watched-databases.js';

/** Read when they are asked for: the databases belong to the process, the metrics to a service. */
export function registerGeolocationMetrics(
  registry: Registry,
  databases: Pick<WatchedDatabases, 'state'>,
): void {
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
