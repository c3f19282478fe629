import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { DeliveryAttemptEntity } from './delivery-attempt.entity.js';
import { DeliveryEntity } from './delivery.entity.js';
import { CreateWebhooks1795300000000 } from './migrations/create-webhooks.migration.js';
import { SigningSecretEntity } from './signing-secret.entity.js';
import { WebhookEntity } from './webhook.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  WebhookEntity,
  SigningSecretEntity,
  DeliveryEntity,
  DeliveryAttemptEntity,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateWebhooks1795300000000,
];
