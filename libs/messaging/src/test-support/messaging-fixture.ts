import { createDataSource, type DatabaseConfig, runMigrationsOf } from '@bascule/persistence';
import { createLogger, type Logger } from '@bascule/process';
import { createServiceDatabase } from '@bascule/testing';
import type { DataSource } from 'typeorm';
import { messagingEntities, messagingMigrations } from '../index.js';
import { EmbeddedTransport } from '../transport/embedded/embedded-transport.js';

export interface MessagingFixture {
  database: DatabaseConfig;
  adminUrl: string;
  dataSource: DataSource;
  transport: EmbeddedTransport;
  logger: Logger;
  close(): Promise<void>;
}

/** A service's schema with outbox, inbox and parked events, and the event log beside it. */
export async function messagingFixture(schema: string): Promise<MessagingFixture> {
  const service = await createServiceDatabase(schema);
  const { database, adminUrl } = service;
  const model = { database, entities: messagingEntities, migrations: messagingMigrations };
  await runMigrationsOf(model);
  const dataSource = await createDataSource(model).initialize();
  const logger = createLogger({ service: schema, level: 'silent' });
  const transport = new EmbeddedTransport({
    dataSource,
    database,
    logger,
    pollMs: 50,
    standbyMs: 50,
  });
  return {
    database,
    adminUrl,
    dataSource,
    transport,
    logger,
    close: async () => {
      await transport.close();
      await dataSource.destroy();
      await service.drop();
    },
  };
}
