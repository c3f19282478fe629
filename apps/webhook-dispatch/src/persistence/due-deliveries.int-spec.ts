import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DispatcherWorker } from '../delivery/dispatcher.worker.js';
import { MaintenanceWorker } from '../maintenance/maintenance.worker.js';
import { enqueueMany, useDispatcher } from '../testing/webhook-dispatch.fixture.js';
import { ClaimRepository } from './claim.repository.js';
import { DeliveryCleanupRepository } from './delivery-cleanup.repository.js';
import { type DeliveryResult, ResultsRepository } from './results.repository.js';

const RECEIVER = 'http://127.0.0.1:9/';
const LEASE_MS = 60_000;

const { running, register, query, deliveriesOf, attemptsOf } = useDispatcher();
const claims = () => running().app.get(ClaimRepository);
const cleanup = () => running().app.get(DeliveryCleanupRepository);
const registerWebhook = async () => (await register(uuidv7(), RECEIVER)).id;
const statusesOf = async (webhookId: string) =>
  (await deliveriesOf(webhookId)).map(({ status }) => status);

beforeAll(async () => {
  await running().app.get(DispatcherWorker).stopClaiming();
  await running().app.get(MaintenanceWorker).stop();
});
afterEach(() => query('TRUNCATE webhook_deliveries, webhook_circuits'));

const regular = (webhookId: string, slots: number) =>
  ({ kind: 'regular', webhookId, slots, holdMs: null }) as const;

/** Lets the circuit of a webhook open, with its next trial due. */
const openCircuit = (webhookId: string) =>
  query(
    `INSERT INTO webhook_circuits (webhook_id, state, openings, not_before)
     VALUES ($1, 'OPEN', 1, now())`,
    [webhookId],
  );

describe('due webhooks', () => {
  const find = (after: string | null, page: number, due = 10) =>
    claims().findDueWebhooks(after, page, { due, backlog: 10 });

  it('are found page by page, with the number of their due deliveries', async () => {
    const webhooks = [
      await registerWebhook(),
      await registerWebhook(),
      await registerWebhook(),
    ].sort();
    const [first = '', second = '', later = ''] = webhooks;
    await enqueueMany(query, [first, first, second, later], 1);
    await query(
      `UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE webhook_id = $1`,
      [later],
    );
    expect(await find(null, 2)).toMatchObject({
      webhooks: [
        { webhookId: first, url: RECEIVER, circuit: null, due: 2, backlog: 0 },
        { webhookId: second, due: 1 },
      ],
      next: second,
    });
    expect(await find(second, 2)).toEqual({ webhooks: [], next: null });
    expect(await find(later, 1)).toEqual({ webhooks: [], next: null });
    expect(await find(null, 1, 1)).toMatchObject({ webhooks: [{ due: 1 }], next: first });
  });
});

describe('a claim', () => {
  it('takes the free slots of each webhook, and leases its deliveries', async () => {
    const [busy, quiet] = [await registerWebhook(), await registerWebhook()];
    await enqueueMany(query, [busy], 3);
    await enqueueMany(query, [quiet], 1);
    const claim = () => claims().claim([regular(busy, 2), regular(quiet, 1)], LEASE_MS);
    const claimed = await claim();
    expect(claimed.map(({ webhookId }) => webhookId).sort()).toEqual([busy, busy, quiet].sort());
    expect(claimed[0]).toMatchObject({ kind: 'regular', attempts: 0, openings: 0, url: RECEIVER });
    expect((await claim()).map(({ webhookId }) => webhookId)).toEqual([busy]);
    const leases = await query<{ seconds: number }>(
      `SELECT extract(epoch FROM due_at - claimed_at)::integer AS seconds FROM webhook_deliveries`,
    );
    expect(leases).toEqual(Array(4).fill({ seconds: LEASE_MS / 1_000 }));
  });

  it('for a trial keeps others from trying the webhook for a time', async () => {
    const webhookId = await registerWebhook();
    await enqueueMany(query, [webhookId], 2);
    await openCircuit(webhookId);
    const claim = () =>
      claims().claim([{ kind: 'trial', webhookId, slots: 1, holdMs: LEASE_MS }], LEASE_MS);
    expect(await claim()).toMatchObject([{ kind: 'trial', openings: 1 }]);
    expect(await claim()).toEqual([]);
  });
});

describe('the result of a claim', () => {
  async function aClaimed() {
    const webhookId = await registerWebhook();
    await enqueueMany(query, [webhookId], 1);
    const [claimed] = await claims().claim([regular(webhookId, 1)], LEASE_MS);
    if (claimed === undefined) throw new Error('the claim found no delivery');
    return claimed;
  }
  const write = (result: DeliveryResult) => running().app.get(ResultsRepository).write([result]);

  it('stores the answer of the receiver', async () => {
    const { id, lease, webhookId } = await aClaimed();
    const attempt = {
      url: RECEIVER,
      outcome: 'refused',
      durationMs: 12.6,
      reason: 'not acknowledged',
      statusCode: 500,
      answerType: 'text/plain',
      answer: Buffer.from('no'),
    };
    const written = await write({ id, lease, delayMs: null, status: 'FAILED', attempt });
    expect(written).toEqual(new Set([id]));
    expect(await statusesOf(webhookId)).toEqual(['FAILED']);
    const stored = await query('SELECT * FROM webhook_attempts WHERE delivery_id = $1', [id]);
    expect(stored).toMatchObject([
      {
        ...{ number: 1, url: RECEIVER, outcome: 'refused', duration_ms: 13 },
        ...{ reason: 'not acknowledged', status_code: 500, answer_type: 'text/plain' },
        answer: attempt.answer,
      },
    ]);
  });

  it('stores no attempt where none was made', async () => {
    const { id, lease, webhookId } = await aClaimed();
    const written = await write({ id, lease, delayMs: null, status: 'FAILED', attempt: null });
    expect(written).toEqual(new Set([id]));
    expect(await deliveriesOf(webhookId)).toMatchObject([{ status: 'FAILED', attempts: 0 }]);
    expect(await attemptsOf(webhookId)).toEqual([]);
  });
});

describe('the clean-up of deliveries', () => {
  it('cancels those of a webhook', async () => {
    const [deleted, other] = [await registerWebhook(), await registerWebhook()];
    await enqueueMany(query, [deleted, other], 1);
    const database = running().app.get(DataSource);
    await database.transaction((manager) => cleanup().cancelForWebhook(manager, deleted));
    expect(await statusesOf(deleted)).toEqual(['CANCELLED']);
    expect(await statusesOf(other)).toEqual(['PENDING']);
  });

  it('cancels those of deleted webhooks, more than a batch of them', async () => {
    const [deleted, other] = [await registerWebhook(), await registerWebhook()];
    await enqueueMany(query, [deleted], 1_001);
    await enqueueMany(query, [other], 1);
    await query('UPDATE webhooks SET deleted_at = now() WHERE id = $1', [deleted]);
    await running().app.get(MaintenanceWorker).cleanUpDeliveries();
    expect(new Set(await statusesOf(deleted))).toEqual(new Set(['CANCELLED']));
    expect(await statusesOf(other)).toEqual(['PENDING']);
  });

  it('fails those that an open circuit has postponed for a whole schedule', async () => {
    const [unreachable, reachable] = [await registerWebhook(), await registerWebhook()];
    await enqueueMany(query, [unreachable], 2);
    await enqueueMany(query, [reachable], 1);
    await openCircuit(unreachable);
    expect(await cleanup().failPostponed()).toBe(0);
    await query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '25 hours'
       WHERE id <> (SELECT max(id::text)::uuid FROM webhook_deliveries WHERE webhook_id = $1)`,
      [unreachable],
    );
    expect(await cleanup().failPostponed()).toBe(1);
    expect((await statusesOf(unreachable)).sort()).toEqual(['FAILED', 'PENDING']);
    expect(await statusesOf(reachable)).toEqual(['PENDING']);
  });

  it('logs deliveries and attempts that the previous version finishes', async () => {
    const webhookId = await registerWebhook();
    const [id, workflowId] = [uuidv7(), uuidv7()];
    // The statements of that version, word for word.
    const enqueue = (delivery: string) =>
      query(
        `INSERT INTO webhook_deliveries (id, webhook_id, workflow_id, event_type, body, status, due_at)
         SELECT d.id, d.webhook_id, $4, $5, d.body, 'PENDING', now() + interval '1 minute'
         FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS d (id, webhook_id, body)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [[delivery], [webhookId], [Buffer.from('{}')], workflowId, 'WORKFLOW_COMPLETED'],
      );
    expect(await enqueue(id)).toHaveLength(1);
    expect(await deliveriesOf(webhookId)).toMatchObject([{ id, status: 'PENDING' }]);
    await query(
      `UPDATE webhook_deliveries SET attempts = 1, status = 'DELIVERED', due_at = NULL,
         finished_at = now() WHERE id = $1`,
      [id],
    );
    await query(
      `INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, outcome, status_code)
       VALUES ($1, 1, now() - interval '2 minutes', 'acknowledged', 200)`,
      [id],
    );
    await running().app.get(MaintenanceWorker).cleanUpDeliveries();
    expect(await deliveriesOf(webhookId)).toMatchObject([{ id, status: 'DELIVERED', attempts: 1 }]);
    expect(await attemptsOf(webhookId)).toMatchObject([{ number: 1, outcome: 'acknowledged' }]);
    expect(await query('SELECT 1 FROM webhook_deliveries WHERE id = $1', [id])).toEqual([]);
    expect(await enqueue(uuidv7())).toEqual([]);
  });
});
