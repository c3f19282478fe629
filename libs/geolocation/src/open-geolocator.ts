import type { ServiceContext } from '@bascule/process';
import { DatabaseGeolocator } from './database-geolocator.js';
import { defaultDatabaseFiles } from './databases/default-files.js';
import { borrowDatabases } from './databases/shared-databases.js';
import type { DatabaseChange } from './databases/watched-databases.js';
import { isDeclined, type GeolocationConfig, type GeolocationNeeds } from './geolocation-config.js';
import { lookupCounter, registerDatabaseMetrics } from './geolocation-metrics.js';

/** Opens the geolocator with its readable databases loaded. */
export async function openGeolocator(
  config: GeolocationConfig,
  { isRequired }: GeolocationNeeds,
  { logger, metrics, shutdown }: ServiceContext,
): Promise<DatabaseGeolocator> {
  const files = isDeclined(config) ? [] : (config.GEOIP_DB ?? defaultDatabaseFiles());
  if (files.length === 0) logger.warn('no geolocation database: all addresses are unknown');
  const borrowed = borrowDatabases(files, config.GEOIP_CHECK_MS);
  const { databases } = borrowed;
  const leave = databases.onChange(({ path, problem, kind, builtAt }: DatabaseChange) => {
    if (problem === undefined) logger.info({ path, kind, builtAt }, 'geolocation database loaded');
    else logger.error({ path, err: problem }, 'geolocation database unusable');
  });
  // No warning where geolocation is disabled on purpose.
  if (!isDeclined(config)) registerDatabaseMetrics(metrics, databases);
  shutdown.add('database', 'geolocation', async () => {
    leave();
    borrowed.giveBack();
  });
  await databases.check();
  const isDatabaseRequired = isRequired && !isDeclined(config);
  return new DatabaseGeolocator(databases, isDatabaseRequired, lookupCounter(metrics));
}
