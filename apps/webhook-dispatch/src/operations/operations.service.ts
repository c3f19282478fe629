import {
  conflict,
  invalidField,
  notFound,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryPage,
  type WebhookEventType,
  type WebhookResendFailed,
} from '@bascule/contracts';
import { currentTraceparent } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { isUsedUp, MAX_RESENDABLE_ATTEMPTS } from '../rules/resendable.js';
import type { DeliveryWithRequest } from '../rules/logged-delivery.js';
import { STATUS_OF } from '../rules/workflow-outcome.js';
import { DeliveryLogRepository } from '../persistence/delivery-log.repository.js';
import { DeliveryRepository } from '../persistence/delivery.repository.js';
import type { DeliveryStatus } from '../rules/delivery-status.js';
import type { WebhookEntity } from '../persistence/webhook.entity.js';
import { WebhookRepository } from '../persistence/webhook.repository.js';
import { deliveryView, detailsView } from './delivery-view.js';
import { paginationKey, parsePaginationKey } from './pagination-key.js';

const MAX_RESENT = 1_000;

export interface DeliveryQuery {
  label?: string;
  status?: DeliveryStatus;
  workflow_id?: string;
  limit: number;
  pagination_key?: string;
}

/** Lists, shows and resends the deliveries of an organisation, for itself or for an operator. */
@Injectable()
export class OperationsService {
  constructor(
    private readonly log: DeliveryLogRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhookRepository,
    private readonly dataSource: DataSource,
  ) {}

  async list(orgId: string, query: DeliveryQuery): Promise<WebhookDeliveryPage> {
    const { label, status, workflow_id: workflowId, limit, pagination_key: key } = query;
    const before = key === undefined ? null : parsePaginationKey(key);
    if (key !== undefined && before === null) {
      throw invalidField(['pagination_key'], 'pagination_key must come from a previous page');
    }
    const webhookId = label === undefined ? undefined : (await this.webhook(orgId, label)).id;
    const found = await this.log.list({
      orgId,
      webhookId,
      status,
      workflowId,
      before,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      deliveries: page.map(deliveryView),
      next_pagination_key: found.length > limit && last !== undefined ? paginationKey(last) : null,
    };
  }

  async show(orgId: string, id: string, userAgent: string): Promise<WebhookDeliveryDetails> {
    const found = await this.find(orgId, id);
    return detailsView(found, await this.log.attempts(id), userAgent);
  }

  /** Attempts a delivery now; one that has ended gets a new schedule. */
  async resend(orgId: string, id: string): Promise<WebhookDelivery> {
    const found = await this.find(orgId, id);
    const { webhookId, label } = found;
    if (await this.log.isWebhookDeleted(webhookId, this.dataSource.manager)) {
      throw conflict(`The webhook "${label}" has been deleted.`);
    }
    if (isUsedUp(found)) {
      throw conflict(
        `Delivery ${id} has had ${found.attempts} attempts; from ${MAX_RESENDABLE_ATTEMPTS} on it is not sent again.`,
      );
    }
    if (!(await this.log.resend(orgId, id))) await this.log.attemptNow(id);
    return deliveryView(await this.find(orgId, id));
  }

  async resendFailed(
    orgId: string,
    { label, since }: { label?: string; since: string },
  ): Promise<WebhookResendFailed> {
    const webhookId = label === undefined ? null : (await this.webhook(orgId, label)).id;
    const resent = await this.log.resendFailed({
      orgId,
      webhookId,
      since: new Date(since),
      limit: MAX_RESENT,
    });
    return { resent, more: resent === MAX_RESENT };
  }

  /** Sends a test event about a payment that does not exist; its body says so. */
  async sendTest(
    orgId: string,
    { label, event_type }: { label: string; event_type?: WebhookEventType },
  ): Promise<{ id: string }> {
    const webhook = await this.webhook(orgId, label);
    const [first = 'WORKFLOW_COMPLETED'] = webhook.eventTypes;
    const eventType = event_type ?? first;
    const outcome = {
      workflowId: uuidv7(),
      orgId,
      eventType,
      status: STATUS_OF[eventType],
      at: new Date().toISOString(),
    };
    const id = await this.deliveries.enqueueTest(this.dataSource.manager, webhook, {
      outcome,
      traceparent: currentTraceparent(),
    });
    if (id === undefined) throw noWebhook(label);
    return { id };
  }

  private async find(orgId: string, id: string): Promise<DeliveryWithRequest> {
    const found = await this.log.find(orgId, id);
    if (found === null) throw noDelivery(id);
    return found;
  }

  private async webhook(orgId: string, label: string): Promise<WebhookEntity> {
    const found = await this.webhooks.find(orgId, label);
    if (found === null) throw noWebhook(label);
    return found;
  }
}

const noWebhook = (label: string): Error => notFound(`Webhook "${label}" not found.`);
const noDelivery = (id: string): Error => notFound(`Delivery ${id} not found.`);
