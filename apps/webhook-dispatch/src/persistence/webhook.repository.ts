import { insertAnswer, type SealedAnswer } from '@bascule/idempotency';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { DeliveryCleanupRepository } from './delivery-cleanup.repository.js';
import { SigningSecretEntity } from './signing-secret.entity.js';
import { WebhookEntity } from './webhook.entity.js';

export type NewWebhook = Omit<WebhookEntity, 'createdAt' | 'deletedAt'>;

export type WebhookChange = Partial<
  Pick<WebhookEntity, 'url' | 'authHeaderName' | 'authHeaderValue'>
>;

interface InsertOptions {
  /** Largest number of webhooks of the organisation. */
  most: number;
  sealAnswer?: ((createdAt: Date) => Promise<SealedAnswer>) | undefined;
}

interface NewSecret {
  id: string;
  sealed: string;
}

const EXISTING = 'SELECT 1 FROM webhooks WHERE org_id = $1 AND deleted_at IS NULL LIMIT $2';
const ACTIVE = 'webhook_id = $1 AND (retires_at IS NULL OR retires_at > now())';

@Injectable()
export class WebhookRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cleanup: DeliveryCleanupRepository,
  ) {}

  /**
   * Inserts a webhook with its first secret and the answer to its request. Inserts of an organisation run one after the
   * other, so that together they do not exceed `most` either.
   *
   * @returns when it was created; null if the organisation already has `most` webhooks
   * @throws a unique violation of the label's index
   */
  async insert(
    webhook: NewWebhook,
    secret: NewSecret,
    { most, sealAnswer }: InsertOptions,
  ): Promise<Date | null> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `webhooks:${webhook.orgId}`,
      ]);
      const existing: unknown[] = await manager.query(EXISTING, [webhook.orgId, most]);
      if (existing.length >= most) return null;
      const entity = manager.create(WebhookEntity, webhook);
      await manager.insert(WebhookEntity, entity);
      await manager.insert(SigningSecretEntity, { ...secret, webhookId: webhook.id });
      if (sealAnswer) await insertAnswer(manager, await sealAnswer(entity.createdAt));
      return entity.createdAt;
    });
  }

  /** Oldest first. */
  list(orgId: string): Promise<WebhookEntity[]> {
    return this.dataSource.manager.find(WebhookEntity, {
      where: { orgId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  find(orgId: string, label: string): Promise<WebhookEntity | null> {
    return this.dataSource.manager.findOneBy(WebhookEntity, { orgId, label, deletedAt: IsNull() });
  }

  /** Updates a webhook; a new URL resets its circuit. False if the webhook was deleted. */
  async update(id: string, change: WebhookChange): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(WebhookEntity, { id, deletedAt: IsNull() }, change);
      if (change.url !== undefined) await forgetCircuit(manager, id);
      return affected !== 0;
    });
  }

  /**
   * Adds a secret, which signs from now on; the others retire at the given time, or stay without one.
   *
   * @returns the number of secrets that were active before; at `most`, or for a deleted webhook, none is added
   */
  async addSecret(
    webhookId: string,
    secret: NewSecret,
    { othersRetireAt, most }: { othersRetireAt: Date | null; most: number },
  ): Promise<number | null> {
    return this.dataSource.transaction(async (manager) => {
      const locked: unknown[] = await manager.query(
        'SELECT 1 FROM webhooks WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
        [webhookId],
      );
      if (locked.length === 0) return null;
      await manager.query(
        'DELETE FROM webhook_signing_secrets WHERE webhook_id = $1 AND retires_at <= now()',
        [webhookId],
      );
      const active: unknown[] = await manager.query(
        `SELECT 1 FROM webhook_signing_secrets WHERE ${ACTIVE}`,
        [webhookId],
      );
      if (active.length >= most) return active.length;
      if (othersRetireAt !== null) {
        await manager.query(
          `UPDATE webhook_signing_secrets SET retires_at = least(retires_at, $2) WHERE ${ACTIVE}`,
          [webhookId, othersRetireAt],
        );
      }
      await manager.insert(SigningSecretEntity, { ...secret, webhookId });
      return active.length;
    });
  }

  /** Deletes a webhook with its secrets and cancels its deliveries; false if none exists. */
  async delete(orgId: string, label: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [rows]: [{ id: string }[], number] = await manager.query(
        `UPDATE webhooks SET deleted_at = now(), auth_header_value = NULL
         WHERE org_id = $1 AND label = $2 AND deleted_at IS NULL RETURNING id`,
        [orgId, label],
      );
      const id = rows[0]?.id;
      if (id === undefined) return false;
      await manager.delete(SigningSecretEntity, { webhookId: id });
      await forgetCircuit(manager, id);
      await this.cleanup.cancelForWebhook(manager, id);
      return true;
    });
  }
}

const forgetCircuit = (manager: EntityManager, webhookId: string): Promise<unknown> =>
  manager.query('DELETE FROM webhook_circuits WHERE webhook_id = $1', [webhookId]);
