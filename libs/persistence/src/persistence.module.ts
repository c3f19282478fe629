import { ServiceContext } from '@bascule/process';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createDataSource, type EntityClass, type MigrationClass } from './data-source.js';
import type { DatabaseConfig } from './database-config.js';
import { openDatabase } from './open-database.js';

/** Injection token of the service's {@link DatabaseConfig}. */
export const DATABASE_CONFIG = Symbol('DATABASE_CONFIG');

export interface PersistenceOptions {
  database: DatabaseConfig;
  entities: readonly EntityClass[];
  migrations: readonly MigrationClass[];
}

/** Connection pool of a service, with explicit lists of entities and migrations. */
@Module({})
export class PersistenceModule {
  static register(options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [
        { provide: DATABASE_CONFIG, useValue: options.database },
        {
          provide: DataSource,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => connect(options, context),
        },
      ],
      exports: [DataSource, DATABASE_CONFIG],
    };
  }
}

async function connect(options: PersistenceOptions, context: ServiceContext): Promise<DataSource> {
  const dataSource = createDataSource({
    ...options,
    logger: context.logger,
    applicationName: `bascule/${context.name}`,
  });
  context.shutdown.add('database', 'pool', async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
  });
  await openDatabase(dataSource, options.database, context);
  return dataSource;
}
