import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { deliveryBody, type WorkflowOutcome } from '../enqueue/workflow-outcome.js';

/** The lock makes a webhook that is being deleted either not found here, or its deliveries found there. */
const SUBSCRIBED = `
  SELECT id FROM webhooks
  WHERE org_id = $1 AND deleted_at IS NULL AND created_at <= $2 AND $3 = ANY (event_types)
  FOR SHARE`;

/** A trigger logs each, and leaves out what the log has already. */
const INSERT = `
  INSERT INTO webhook_deliveries
    (id, webhook_id, workflow_id, event_type, body, status, due_at, test, traceparent)
  SELECT d.id, d.webhook_id, $4, $5, d.body, 'PENDING', now(), $6, $7
  FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS d (id, webhook_id, body)
  ON CONFLICT DO NOTHING RETURNING id`;

export interface EnqueueOptions {
  traceparent?: string | undefined;
  test?: boolean;
}

@Injectable()
export class DeliveryRepository {
  /** One for each webhook that existed then and asks for it; those that are there already stay as they are. */
  async enqueue(
    manager: EntityManager,
    outcome: WorkflowOutcome,
    options: EnqueueOptions = {},
  ): Promise<number> {
    const webhooks: { id: string }[] = await manager.query(SUBSCRIBED, [
      outcome.orgId,
      outcome.at,
      outcome.eventType,
    ]);
    if (webhooks.length === 0) return 0;
    const ids = webhooks.map(({ id }) => id);
    return (await this.enqueueFor(manager, ids, outcome, options)).length;
  }

  /** The ids of the deliveries that are new. */
  async enqueueFor(
    manager: EntityManager,
    webhookIds: readonly string[],
    outcome: WorkflowOutcome,
    { traceparent, test = false }: EnqueueOptions,
  ): Promise<string[]> {
    const ids = webhookIds.map(() => uuidv7());
    const inserted: { id: string }[] = await manager.query(INSERT, [
      ids,
      webhookIds,
      ids.map((id) => deliveryBody(id, outcome, { test })),
      outcome.workflowId,
      outcome.eventType,
      test,
      traceparent ?? null,
    ]);
    return inserted.map(({ id }) => id);
  }
}
