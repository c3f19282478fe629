import { ServiceError } from '@bascule/contracts';
import { createDataSource, databaseConfig, databaseEnv } from '@bascule/persistence';
import { ConfigurationError, parseConfig } from '@bascule/process';
import { sealingKeys } from '@bascule/sealed-tokens';
import type { DataSource } from 'typeorm';
import {
  type OperatorCommand,
  parseOperatorArguments,
  UsageError,
} from './operations/operator-arguments.js';
import { OperationsService } from './operations/operations.service.js';
import { DeliveryLogRepository } from './persistence/delivery-log.repository.js';
import { DeliveryRepository } from './persistence/delivery.repository.js';
import { EndingsRepository } from './persistence/endings.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { WebhookRepository } from './persistence/webhook.repository.js';
import { resealSecrets } from './secrets/reseal.service.js';
import { SecretCipher } from './secrets/secret-cipher.js';
import { userAgentOf } from './delivery/request-headers.js';
import { webhookView } from './webhooks/webhook-view.js';
import { WEBHOOK_DISPATCH_SCHEMA } from './webhook-dispatch.config.js';

const ANY_VERSION = '*';
const WRONG_USAGE = 2;

/** `npm run operator -- webhooks …`: deliveries, from the command line of whoever runs the deployment; JSON per line. */
async function run(command: OperatorCommand, dataSource: DataSource): Promise<unknown[]> {
  if (command.name === 'rotate-keys') return [await rotateKeys(dataSource)];
  const webhooks = new WebhookRepository(dataSource, new EndingsRepository(dataSource));
  if (command.name === 'list') return (await webhooks.list(command.orgId)).map(webhookView);
  const operations = new OperationsService(
    new DeliveryLogRepository(dataSource),
    new DeliveryRepository(),
    webhooks,
    dataSource,
  );
  return [await operate(operations, command)];
}

function operate(
  operations: OperationsService,
  command: Exclude<OperatorCommand, { name: 'rotate-keys' | 'list' }>,
): Promise<unknown> {
  const { orgId } = command;
  switch (command.name) {
    case 'deliveries':
      return operations.list(orgId, command);
    case 'show':
      return operations.show(orgId, command.id, userAgentOf(ANY_VERSION));
    case 'resend':
      return operations.resend(orgId, command.id);
    case 'resend-failed':
      return operations.resendFailed(orgId, command);
    case 'test':
      return operations.sendTest(orgId, command);
  }
}

async function rotateKeys(dataSource: DataSource): Promise<unknown> {
  const { WEBHOOK_SECRET_KEYS } = parseConfig(process.env, {
    WEBHOOK_SECRET_KEYS: sealingKeys('the newest key first, then those that are to go'),
  });
  const cipher = new SecretCipher(WEBHOOK_SECRET_KEYS);
  return { key: cipher.newest, encrypted_again: await resealSecrets(dataSource, cipher) };
}

try {
  const command = parseOperatorArguments(process.argv.slice(2));
  const database = databaseConfig(parseConfig(process.env, databaseEnv), WEBHOOK_DISPATCH_SCHEMA);
  const dataSource = createDataSource({
    database: { ...database, poolSize: 1 },
    entities,
    migrations,
    applicationName: 'bascule/operator',
  });
  await dataSource.initialize();
  try {
    for (const line of await run(command, dataSource)) console.log(JSON.stringify(line));
  } finally {
    await dataSource.destroy();
  }
} catch (error) {
  const isWrongUsage = error instanceof UsageError;
  const isExpected = error instanceof ServiceError || error instanceof ConfigurationError;
  if (!isWrongUsage && !isExpected) throw error;
  console.error(error.message);
  process.exitCode = isWrongUsage ? WRONG_USAGE : 1;
}
