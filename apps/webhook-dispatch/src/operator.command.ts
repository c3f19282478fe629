import { runCommand, withDatabase } from '@bascule/operator-commands';
import { answersByKey } from '@bascule/idempotency';
import { parseConfig } from '@bascule/process';
import { sealingKeys } from '@bascule/sealed-tokens';
import type { DataSource } from 'typeorm';
import { type OperatorCommand, parseOperatorArguments } from './operations/operator-arguments.js';
import { OperationsService } from './operations/operations.service.js';
import { DeliveryLogRepository } from './persistence/delivery-log.repository.js';
import { DeliveryRepository } from './persistence/delivery.repository.js';
import { DeliveryCleanupRepository } from './persistence/delivery-cleanup.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { WebhookRepository } from './persistence/webhook.repository.js';
import { resealSecrets, secretsOfOtherKeys } from './secrets/reseal-secrets.service.js';
import { SecretCipher } from './secrets/secret-cipher.js';
import { userAgentOf } from './rules/request-headers.js';
import { webhookView } from './webhooks/webhook-view.js';
import { WEBHOOK_DISPATCH_SCHEMA } from './config/webhook-dispatch.config.js';

const ANY_VERSION = '*';

async function run(command: OperatorCommand, dataSource: DataSource): Promise<unknown[]> {
  if (command.name === 'rotate-keys') return [await rotateKeys(dataSource)];
  const webhooks = new WebhookRepository(dataSource, new DeliveryCleanupRepository(dataSource));
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
    WEBHOOK_SECRET_KEYS: sealingKeys('newest key first, then the keys to retire'),
  });
  const cipher = new SecretCipher(WEBHOOK_SECRET_KEYS.current);
  return {
    key: cipher.newest,
    encrypted_again: await resealSecrets(dataSource, cipher),
    secrets_of_other_keys: await secretsOfOtherKeys(dataSource, cipher),
    answers_by_key: await answersByKey(dataSource),
  };
}

/** `npm run operator -- webhooks …`; prints one JSON object per line. */
process.exitCode = await runCommand('webhooks', async (output) => {
  const command = parseOperatorArguments(process.argv.slice(2));
  const database = { schema: WEBHOOK_DISPATCH_SCHEMA, entities, migrations };
  const results = await withDatabase(database, (dataSource) => run(command, dataSource));
  for (const result of results) output.json(result);
});
