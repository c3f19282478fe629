import { idempotencyEntities, idempotencyMigrations } from '@bascule/idempotency';
import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { AttemptEntity } from './attempt.entity.js';
import { CircuitEntity } from './circuit.entity.js';
import { DeliveryLogEntity } from './delivery-log.entity.js';
import { DeliveryEntity } from './delivery.entity.js';
import { AddWebhookModes1799000000046 } from './migrations/add-webhook-modes.migration.js';
import { CreateWebhooks1795300000000 } from './migrations/create-webhooks.migration.js';
import { IndexDeliveries1795900000001 } from './migrations/index-deliveries.migration.js';
import { LogDeliveries1795900000000 } from './migrations/log-deliveries.migration.js';
import { SigningSecretEntity } from './signing-secret.entity.js';
import { WebhookEntity } from './webhook.entity.js';

export const entities: readonly EntityClass[] = [
  ...messagingEntities,
  ...idempotencyEntities,
  WebhookEntity,
  SigningSecretEntity,
  DeliveryEntity,
  DeliveryLogEntity,
  AttemptEntity,
  CircuitEntity,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  ...idempotencyMigrations,
  CreateWebhooks1795300000000,
  LogDeliveries1795900000000,
  IndexDeliveries1795900000001,
  AddWebhookModes1799000000046,
];
