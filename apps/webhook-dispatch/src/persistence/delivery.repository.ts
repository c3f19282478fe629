import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { WebhookEntity } from './webhook.entity.js';
import { deliveryBody, type WorkflowOutcome } from '../rules/workflow-outcome.js';

/** Locks the webhooks, so that a concurrent deletion either hides one here or finds its deliveries. */
const SUBSCRIBED = `
  SELECT o.place::integer AS place, w.id, w.mode
  FROM unnest($1::text[], $2::timestamptz[], $3::text[])
    WITH ORDINALITY AS o (org_id, at, event_type, place)
    JOIN webhooks w ON w.org_id = o.org_id AND w.deleted_at IS NULL
      AND w.created_at <= o.at AND o.event_type = ANY (w.event_types)
  FOR SHARE OF w`;

/**
 * Inserts deliveries in one order, so that concurrent transactions do not deadlock. A trigger logs each and skips
 * logged ones.
 */
const INSERT = `
  INSERT INTO webhook_deliveries
    (id, webhook_id, workflow_id, event_type, body, test, traceparent, status, due_at)
  SELECT d.*, 'PENDING', now()
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::boolean[], $7::text[])
    AS d (id, webhook_id, workflow_id, event_type, body, test, traceparent)
  ORDER BY d.workflow_id, d.webhook_id, d.event_type
  ON CONFLICT DO NOTHING RETURNING id`;

export interface EnqueuedOutcome {
  outcome: WorkflowOutcome;
  traceparent?: string | undefined;
}

type CalledWebhook = Pick<WebhookEntity, 'id' | 'mode'>;

interface NewDelivery extends EnqueuedOutcome {
  id: string;
  webhookId: string;
  body: Buffer;
  test: boolean;
}

@Injectable()
export class DeliveryRepository {
  /** Enqueues a delivery for each webhook that existed at that time and subscribed; existing ones stay unchanged. */
  async enqueue(manager: EntityManager, outcomes: readonly EnqueuedOutcome[]): Promise<number> {
    if (outcomes.length === 0) return 0;
    const subscribed: (CalledWebhook & { place: number })[] = await manager.query(SUBSCRIBED, [
      outcomes.map(({ outcome }) => outcome.orgId),
      outcomes.map(({ outcome }) => outcome.at),
      outcomes.map(({ outcome }) => outcome.eventType),
    ]);
    const webhooks = Map.groupBy(subscribed, ({ place }) => place);
    const deliveries = outcomes.flatMap((enqueued, n) =>
      (webhooks.get(n + 1) ?? []).map((webhook) => newDelivery(webhook, enqueued)),
    );
    return (await this.insert(manager, deliveries)).length;
  }

  /** Returns the id of the delivery; undefined if the webhook was deleted. */
  async enqueueTest(
    manager: EntityManager,
    webhook: CalledWebhook,
    enqueued: EnqueuedOutcome,
  ): Promise<string | undefined> {
    const [id] = await this.insert(manager, [newDelivery(webhook, enqueued, { test: true })]);
    return id;
  }

  /** Returns the ids of new deliveries. */
  private async insert(
    manager: EntityManager,
    deliveries: readonly NewDelivery[],
  ): Promise<string[]> {
    if (deliveries.length === 0) return [];
    const inserted: { id: string }[] = await manager.query(INSERT, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ outcome }) => outcome.workflowId),
      deliveries.map(({ outcome }) => outcome.eventType),
      deliveries.map(({ body }) => body),
      deliveries.map(({ test }) => test),
      deliveries.map(({ traceparent }) => traceparent ?? null),
    ]);
    return inserted.map(({ id }) => id);
  }
}

function newDelivery(
  { id: webhookId, mode }: CalledWebhook,
  { outcome, traceparent }: EnqueuedOutcome,
  { test = false } = {},
): NewDelivery {
  const id = uuidv7();
  const body = deliveryBody(id, outcome, { test, mode });
  return { id, webhookId, outcome, traceparent, test, body };
}
