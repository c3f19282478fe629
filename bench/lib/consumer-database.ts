import { applyTopics, messagingEntities, messagingMigrations } from '@bascule/messaging';
import { type DatabaseConfig, runMigrationsOf } from '@bascule/persistence';
import type { BenchDatabase } from './database.js';

/** Provisions a consumer's schema with the tables of messaging, and creates all topics. */
export async function consumerDatabase(
  server: BenchDatabase,
  brokers: readonly string[],
): Promise<DatabaseConfig> {
  const database = await server.provision('consumer');
  const model = { database, entities: messagingEntities, migrations: messagingMigrations };
  await runMigrationsOf(model);
  await applyTopics({ kafka: { brokers: [...brokers] } });
  return database;
}
