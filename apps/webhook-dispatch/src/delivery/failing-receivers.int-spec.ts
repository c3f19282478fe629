import { eventually, startCapturingServer } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

describe('delivery to a failing receiver', () => {
  const { receiver, register, publish, query, deliveriesOf, attemptsOf, makeDue } = useDispatcher();

  it('treats a timeout, a redirect and a closed port as failures, and never follows a redirect', async () => {
    const orgId = uuidv7();
    const elsewhere = await receiver();
    const unresponsive = await receiver(() => new Promise(() => undefined));
    const redirecting = await receiver(() => ({
      status: 302,
      headers: { location: elsewhere.url },
    }));
    const closed = await startCapturingServer();
    await closed.stop();
    const urls = [unresponsive.url, redirecting.url, closed.url];
    const webhooks = [];
    for (const url of urls) webhooks.push(await register(orgId, url));
    await publish(paymentEvent(orgId, { status: 'FAILED' }));
    await eventually(async () => {
      const outcomes = await query<{ url: string; outcome: string }>(
        `SELECT a.url, a.outcome FROM webhook_attempts a
           JOIN webhook_delivery_log l ON l.id = a.delivery_id WHERE l.org_id = $1`,
        [orgId],
      );
      expect(Object.fromEntries(outcomes.map((row) => [row.url, row.outcome]))).toEqual({
        [unresponsive.url]: 'timeout',
        [redirecting.url]: 'refused',
        [closed.url]: 'unreachable',
      });
    });
    expect(elsewhere.requests).toEqual([]);
    for (const webhook of webhooks) {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
    }
  });

  it('reads only the start of an endless answer', async () => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ body: 'x'.repeat(5_000_000) }));
    const webhook = await register(orgId, target.url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'DELIVERED' }]);
    });
  });

  it('does not connect to an address that became private after the registration', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const webhook = await register(orgId, target.url);
    await query('UPDATE webhooks SET url = $2 WHERE id = $1', [webhook.id, 'http://10.255.255.1/']);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await eventually(async () => {
      expect(await attemptsOf(webhook.id)).toMatchObject([{ outcome: 'forbidden_address' }]);
    });
  });

  it('marks a delivery FAILED when its schedule has ended', async () => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ status: 503 }));
    const webhook = await register(orgId, target.url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await eventually(() => {
      expect(target.requests).toHaveLength(1);
    });
    await eventually(async () => {
      const rows = await query<unknown>(
        `SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND due_at > now() + interval '50 s'`,
        [webhook.id],
      );
      expect(rows).toHaveLength(1);
    });
    await query(
      `UPDATE webhook_deliveries SET attempts = 8, first_attempt_at = now() - interval '23 hours'
         WHERE webhook_id = $1`,
      [webhook.id],
    );
    await makeDue(webhook.id);
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'FAILED', attempts: 9 }]);
    });
    expect(
      await query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]),
    ).toEqual([]);
  });
});
