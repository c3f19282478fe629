import { createServiceDatabase, poolerFor } from '@bascule/testing';
import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../database-config.js';
import { createDataSource, type EntityClass, type MigrationClass } from '../data-source.js';
import { runMigrationsOf } from '../run-migrations.js';

export interface PersistenceFixture {
  database: DatabaseConfig;
  adminUrl: string;
  dataSource: DataSource;
  /** Another pool on the same schema: another process. */
  anotherDataSource(): Promise<DataSource>;
  close(): Promise<void>;
}

/** Ways to a database, as rows of `describe.each`. */
export const PATHS = [
  { path: 'directly', behindPooler: false },
  { path: 'through PgBouncer', behindPooler: true },
];

interface FixtureOptions {
  entities?: EntityClass[];
  migrations?: MigrationClass[];
  behindPooler?: boolean;
}

/** Creates a migrated schema and a pool on it. */
export async function persistenceFixture(
  schema: string,
  model: FixtureOptions = {},
): Promise<PersistenceFixture> {
  const service = await createServiceDatabase(schema);
  const pooler = model.behindPooler === true ? await poolerFor(service.database) : null;
  const { adminUrl } = service;
  const database = pooler?.database ?? service.database;
  const options = { database, entities: model.entities ?? [], migrations: model.migrations ?? [] };
  await runMigrationsOf(options);
  const opened: DataSource[] = [];
  const open = async (): Promise<DataSource> => {
    const dataSource = await createDataSource(options).initialize();
    opened.push(dataSource);
    return dataSource;
  };
  return {
    database,
    adminUrl,
    dataSource: await open(),
    anotherDataSource: open,
    close: async () => {
      await Promise.all(opened.map((dataSource) => dataSource.destroy()));
      await pooler?.stop();
      await service.drop();
    },
  };
}
