import { freePort, removePgBouncer, startPgBouncer } from '@bascule/local-stack';
import type { DatabaseConfig } from '@bascule/persistence';
import { ownDirectory } from './test-directory.js';

export interface TestPooler {
  /** The same database, whose transactions go through the pooler. */
  database: DatabaseConfig;
  stop(): Promise<void>;
}

/** A real PgBouncer in transaction mode before a database. Its default of two sessions makes transactions share them. */
export async function poolerFor(
  database: DatabaseConfig,
  poolSize = 2,
  { ignored = [] }: { ignored?: string[] } = {},
): Promise<TestPooler> {
  const directory = ownDirectory('test-pgbouncer');
  const port = await freePort();
  const url = new URL(database.directUrl);
  await startPgBouncer({
    directory,
    port,
    postgresPort: Number(url.port),
    users: { [url.username]: decodeURIComponent(url.password) },
    poolSize,
    ignored,
  });
  url.port = String(port);
  return {
    database: { ...database, url: url.href },
    stop: () => removePgBouncer(directory),
  };
}
