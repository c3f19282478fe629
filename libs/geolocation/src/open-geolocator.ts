import type { ServiceContext } from '@bascule/process';
import { DatabaseGeolocator } from './database-geolocator.js';
import { defaultDatabaseFiles } from './databases/default-files.js';
import { borrowDatabases } from './databases/shared-databases.js';
import type { DatabaseNews } from './databases/watched-databases.js';
import type { GeolocationConfig } from './geolocation-config.js';
import { registerGeolocationMetrics } from './geolocation-metrics.js';
import type { Geolocator } from './geolocator.js';

/** Its databases are there, as far as they can be read. */
export async function openGeolocator(
  { GEOIP_DB, GEOIP_CHECK_MS }: GeolocationConfig,
  { logger, metrics, shutdown }: ServiceContext,
): Promise<Geolocator> {
  const files = GEOIP_DB ?? defaultDatabaseFiles();
  if (files.length === 0) logger.warn('no geolocation database: GEOIP_DB is not set');
  const borrowed = borrowDatabases(files, GEOIP_CHECK_MS);
  const { databases } = borrowed;
  const leave = databases.onNews(({ path, problem, kind, builtAt }: DatabaseNews) => {
    if (problem === undefined) logger.info({ path, kind, builtAt }, 'geolocation database read');
    else logger.error({ path, err: problem }, 'geolocation database cannot be used');
  });
  registerGeolocationMetrics(metrics, databases);
  shutdown.add('database', 'geolocation', async () => {
    leave();
    borrowed.giveBack();
  });
  await databases.check();
  return new DatabaseGeolocator(databases);
}
