import { createHmac } from 'node:crypto';
import type { WebhookDeliveryBody } from '@bascule/contracts';
import { pendingSchemaChanges } from '@bascule/persistence';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

describe('delivery of payment outcomes', () => {
  const {
    running,
    startAnother,
    call,
    receiver,
    register,
    publish,
    query,
    deliveriesOf,
    attemptsOf,
    makeDue,
  } = useDispatcher();

  it('reports a completed and a failed payment once each, signed over the raw body', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const webhook = await register(orgId, `${target.url}/hook?x=1`, {
      auth_header: { name: 'X-Api-Key', value: 'open sesame' },
    });
    const completed = paymentEvent(orgId, { status: 'COMPLETE' });
    const failed = paymentEvent(orgId, { status: 'FAILED' });
    // Duplicates, a later state of the same payment, states without an outcome, a payment of another organisation.
    const later = paymentEvent(orgId, { status: 'COMPLETE', id: completed.subject, version: 3 });
    await publish(completed, failed, completed, later);
    await publish(
      paymentEvent(orgId, { status: 'PENDING' }),
      paymentEvent(uuidv7(), { status: 'COMPLETE' }),
    );
    await eventually(async () => {
      const deliveries = await deliveriesOf(webhook.id);
      expect(deliveries.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
    });
    expect(target.requests).toHaveLength(2);
    const bodies = target.requests.map(
      ({ body }) => JSON.parse(body.toString()) as WebhookDeliveryBody,
    );
    expect(bodies).toEqual(
      expect.arrayContaining([
        {
          id: expect.any(String),
          time: expect.any(String),
          event_type: 'WORKFLOW_COMPLETED',
          event: { workflow_id: completed.subject, status: 'COMPLETE' },
        },
        {
          id: expect.any(String),
          time: expect.any(String),
          event_type: 'WORKFLOW_FAILED',
          event: { workflow_id: failed.subject, status: 'FAILED' },
        },
      ]),
    );
    for (const { headers, body, method, path } of target.requests) {
      const digest = createHmac('sha256', webhook.signing_secret).update(body).digest('hex');
      expect({ method, path }).toEqual({ method: 'POST', path: '/hook?x=1' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-signature': `v1=0x${digest}`,
        'x-api-key': 'open sesame',
        'webhook-id': (JSON.parse(body.toString()) as WebhookDeliveryBody).id,
      });
    }
  });

  it('marks what a test key registered, its test events too', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const label = uuidv7();
    const { status } = await call('POST', {
      orgId,
      body: { url: `${target.url}/test`, label, event_types: ['WORKFLOW_FAILED'] },
      caller: { mode: 'test' },
    });
    expect(status).toBe(200);
    const failed = paymentEvent(orgId, { status: 'FAILED' });
    await publish(failed);
    await eventually(async () => expect(target.requests).toHaveLength(1));
    await call('POST', { orgId, path: '/test', body: { label }, caller: { mode: 'test' } });
    await eventually(async () => expect(target.requests).toHaveLength(2));
    const [first, second] = target.requests.map(
      ({ body }) => JSON.parse(body.toString()) as WebhookDeliveryBody,
    );
    expect(first).toEqual({
      id: expect.any(String),
      time: expect.any(String),
      event_type: 'WORKFLOW_FAILED',
      event: { workflow_id: failed.subject, status: 'FAILED' },
      mode: 'test',
    });
    expect(second).toMatchObject({ test: true, mode: 'test' });
  });

  it('delivers the same id, bytes and auth header again after a 500', async () => {
    const orgId = uuidv7();
    const target = await receiver((index) => ({ status: index === 0 ? 500 : 204 }));
    const webhook = await register(orgId, target.url, {
      auth_header: { name: 'X-Api-Key', value: 'open sesame' },
    });
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    const due = await eventually(async () => {
      const rows = await query<{ attempts: number; sinceAttempt: number; fromNow: number }>(
        `SELECT attempts, extract(epoch FROM due_at - started_at)::float AS "sinceAttempt",
             extract(epoch FROM due_at - now())::float AS "fromNow"
           FROM webhook_deliveries JOIN webhook_attempts ON delivery_id = webhook_deliveries.id
           WHERE webhook_id = $1 AND claimed_at IS NULL`,
        [webhook.id],
      );
      expect(rows).toHaveLength(1);
      return rows[0];
    });
    expect(due?.attempts).toBe(1);
    // A minute, give or take 2.5 %; neither bound depends on how long this test took.
    expect(due?.sinceAttempt).toBeGreaterThan(58);
    expect(due?.fromNow).toBeLessThan(62);
    await makeDue(webhook.id);
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
    });
    const [first, second] = target.requests;
    expect([first, second].map((sent) => sent?.headers['x-api-key'])).toEqual([
      'open sesame',
      'open sesame',
    ]);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const attempts = await attemptsOf(webhook.id);
    expect(attempts).toMatchObject([
      { number: 1, outcome: 'refused', status_code: 500, url: target.url },
      { number: 2, outcome: 'acknowledged', status_code: 204, url: target.url },
    ]);
  });

  it('fails a delivery without sending it when an outage has exceeded the schedule', async () => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ status: 500 }));
    const webhook = await register(orgId, target.url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
      expect(await attemptsOf(webhook.id)).toMatchObject([{ outcome: 'refused' }]);
    });
    await query(
      `UPDATE webhook_deliveries SET first_attempt_at = now() - interval '24 hours 1 second'
         WHERE webhook_id = $1`,
      [webhook.id],
    );
    await makeDue(webhook.id);
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
    });
    expect(
      await query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]),
    ).toEqual([]);
    expect(target.requests).toHaveLength(1);
  });

  it('records an event and its deliveries together or not at all, independent of its batch', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const webhook = await register(orgId, target.url);
    const [refused, other] = [
      paymentEvent(orgId, { status: 'COMPLETE' }),
      paymentEvent(orgId, { status: 'COMPLETE' }),
    ];
    const inboxed = (): Promise<unknown[]> =>
      query('SELECT event_id FROM inbox WHERE event_id = ANY ($1::uuid[])', [
        [refused.id, other.id],
      ]);
    await query(
      `ALTER TABLE webhook_deliveries ADD CONSTRAINT refused
       CHECK (workflow_id <> '${refused.subject}') NOT VALID`,
    );
    await publish(refused, other);
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'DELIVERED' }]);
      expect(await query('SELECT 1 FROM parked_events')).toHaveLength(1);
    });
    expect(await inboxed()).toEqual([{ event_id: other.id }]);
    await query('ALTER TABLE webhook_deliveries DROP CONSTRAINT refused');
    await query('UPDATE parked_events SET due_at = now()');
    await eventually(async () => {
      expect(await inboxed()).toHaveLength(2);
      expect(await deliveriesOf(webhook.id)).toMatchObject([
        { status: 'DELIVERED' },
        { status: 'DELIVERED' },
      ]);
    });
    expect(target.requests.map(({ body }) => body.includes(refused.subject))).toEqual([
      false,
      true,
    ]);
  });

  it('calls only webhooks that existed at the time and subscribed to the event', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const early = await register(orgId, target.url, { event_types: ['WORKFLOW_FAILED'] });
    const late = await register(orgId, target.url);
    await query(`UPDATE webhooks SET created_at = now() - interval '1 hour' WHERE id = $1`, [
      early.id,
    ]);
    const at = new Date(Date.now() - 60_000);
    await publish(
      paymentEvent(orgId, { status: 'FAILED', at }),
      paymentEvent(orgId, { status: 'COMPLETE', at }),
    );
    await eventually(async () => {
      expect(await deliveriesOf(early.id)).toMatchObject([{ status: 'DELIVERED' }]);
    });
    expect(await deliveriesOf(late.id)).toEqual([]);
    expect(target.requests).toHaveLength(1);
  });

  it('stops delivering to a deleted webhook', async () => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ status: 500 }));
    const webhook = await register(orgId, target.url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
    });
    await call('DELETE', { orgId, query: `?label=${webhook.label}` });
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'CANCELLED' }]);
    const secrets = await query<unknown>(
      'SELECT 1 FROM webhook_signing_secrets WHERE webhook_id = $1',
      [webhook.id],
    );
    expect(secrets).toEqual([]);
  });

  it('delivers once although two processes claim', async () => {
    const second = await startAnother();
    try {
      const orgId = uuidv7();
      const target = await receiver();
      const webhook = await register(orgId, target.url);
      const events = Array.from({ length: 30 }, () => paymentEvent(orgId, { status: 'COMPLETE' }));
      await publish(...events, ...events);
      await eventually(async () => {
        const deliveries = await deliveriesOf(webhook.id);
        expect(deliveries.filter(({ status }) => status === 'DELIVERED')).toHaveLength(30);
      });
      expect(target.requests).toHaveLength(30);
    } finally {
      await second.shutdown({ graceMs: 0 });
    }
  });

  it('has tables that match its entities, and reports its deliveries as metrics', async () => {
    expect(await pendingSchemaChanges(running().app.get(DataSource))).toEqual([]);
    const metrics = await (await fetch(`${running().operationsUrl}/metrics`)).text();
    for (const name of [
      'webhook_deliveries_pending',
      'webhook_deliveries_overdue_seconds',
      'webhook_deliveries_due',
      'webhook_deliveries_oldest_seconds',
      'webhook_circuits_open',
      'webhook_delivery_wait_seconds_count',
      'webhook_delivery_attempt_seconds_bucket',
      'webhook_delivery_attempts_total{outcome="acknowledged"',
      'webhook_deliveries_finished_total{status="DELIVERED"',
    ]) {
      expect(metrics).toContain(name);
    }
  });
});
