import { freePort, removePostgres, startPostgres } from '@bascule/local-stack';
import { EVENT_LOG_SCHEMA, createEventLog } from '@bascule/messaging';
import { provisionSchema, type DatabaseConfig } from '@bascule/persistence';
import { resolve } from 'node:path';

const PASSWORD = 'bench';

export interface BenchDatabase {
  adminUrl: string;
  /** A service's own schema and role, as a deployment provisions them. */
  provision(schema: string): Promise<DatabaseConfig>;
  remove(): Promise<void>;
}

/** A Postgres of the benchmark's own, durable as in production, forgotten afterwards. */
export async function startDatabase(): Promise<BenchDatabase> {
  const dataDir = resolve('.local/bench/postgres');
  await removePostgres(dataDir);
  const { adminUrl } = await startPostgres({ dataDir, port: await freePort() });
  await createEventLog(adminUrl);
  return {
    adminUrl,
    provision: async (schema) => {
      const role = `bascule_${schema}`;
      await provisionSchema(adminUrl, {
        schema,
        role,
        password: PASSWORD,
        grantUsageOn: [EVENT_LOG_SCHEMA],
      });
      const url = new URL(adminUrl);
      url.username = role;
      url.password = PASSWORD;
      return { url: url.href, directUrl: url.href, poolSize: 8, schema };
    },
    remove: () => removePostgres(dataDir),
  };
}
