import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createLogger } from '@bascule/process';
import { createServiceDatabase } from '@bascule/testing';
import { describeConsumerContract } from '../../contract-suite/consumer-contract.js';
import { type TransportHarness } from '../../contract-suite/harness.js';
import { describeTransportContract } from '../../contract-suite/transport-contract.js';
import { messagingEntities, messagingMigrations } from '../../index.js';
import { EmbeddedTransport } from './embedded-transport.js';

async function open(): Promise<TransportHarness> {
  const service = await createServiceDatabase('contract');
  const { database } = service;
  const model = { database, entities: messagingEntities, migrations: messagingMigrations };
  await runMigrationsOf(model);
  const dataSource = await createDataSource(model).initialize();
  const logger = createLogger({ service: 'contract', level: 'silent' });
  return {
    dataSource,
    connect: () =>
      Promise.resolve(
        new EmbeddedTransport({ dataSource, database, logger, pollMs: 50, standbyMs: 50 }),
      ),
    close: async () => {
      await dataSource.destroy();
      await service.drop();
    },
  };
}

describeTransportContract('the embedded transport', open);
describeConsumerContract('the embedded transport', open);
