import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { SigningSecretEntity } from './signing-secret.entity.js';
import { WebhookEntity } from './webhook.entity.js';

export type NewWebhook = Omit<WebhookEntity, 'createdAt' | 'deletedAt'>;

@Injectable()
export class WebhookRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws a unique violation of the label's index */
  async insert(webhook: NewWebhook, secret: { id: string; sealed: string }): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(WebhookEntity, webhook);
      await manager.insert(SigningSecretEntity, { ...secret, webhookId: webhook.id });
    });
  }

  /** Oldest first. */
  list(orgId: string): Promise<WebhookEntity[]> {
    return this.dataSource.manager.find(WebhookEntity, {
      where: { orgId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** With its secrets, and without sending what is still to be delivered; false when there is none. */
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
      await manager.query(
        `UPDATE webhook_deliveries SET status = 'CANCELLED', due_at = NULL, finished_at = now()
         WHERE webhook_id = $1 AND status = 'PENDING'`,
        [id],
      );
      return true;
    });
  }
}
