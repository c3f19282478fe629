import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type {
  WebhookDelivery,
  WebhookDeliveryBody,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookResendFailed,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

const run = promisify(execFile);

describe('operating deliveries', () => {
  const { call, receiver, register, publish, query, deliveriesOf, databaseUrl, secretKeys } =
    useDispatcher();

  const show = (orgId: string, id: string) =>
    call<WebhookDeliveryDetails>('GET', { path: `/deliveries/${id}`, orgId });
  const resend = (orgId: string, id: string) =>
    call<WebhookDelivery>('POST', { path: `/deliveries/${id}/resend`, orgId });
  const list = (orgId: string, query = '') =>
    call<WebhookDeliveryPage>('GET', { path: '/deliveries', orgId, query });
  /** Enqueues deliveries whose schedules ended without an acknowledgement. */
  const failed = async (webhookId: string, count: number): Promise<void> => {
    await eventually(async () => {
      const deliveries = await query<{ attempts: number }>(
        'SELECT attempts FROM webhook_deliveries WHERE webhook_id = $1 AND claimed_at IS NULL',
        [webhookId],
      );
      expect(deliveries.filter(({ attempts }) => attempts > 0)).toHaveLength(count);
    });
    await query(
      `UPDATE webhook_deliveries SET due_at = now(), first_attempt_at = now() - interval '25 hours'
       WHERE webhook_id = $1`,
      [webhookId],
    );
    await eventually(async () => {
      const statuses = (await deliveriesOf(webhookId)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set(['FAILED']));
    });
  };

  it('sends a marked test event to one webhook only', async () => {
    const orgId = uuidv7();
    const [target, other] = [await receiver(), await receiver()];
    const webhook = await register(orgId, target.url, { event_types: ['WORKFLOW_FAILED'] });
    await register(orgId, other.url);
    const sent = await call<{ id: string }>('POST', {
      path: '/test',
      orgId,
      body: { label: webhook.label },
    });
    expect(sent).toEqual({ status: 200, body: { id: expect.any(String) } });
    await eventually(() => {
      expect(target.requests).toHaveLength(1);
    });
    const body = JSON.parse(target.requests[0]?.body.toString() ?? '') as WebhookDeliveryBody;
    expect(body).toEqual({
      id: sent.body.id,
      time: expect.any(String),
      event_type: 'WORKFLOW_FAILED',
      event: { workflow_id: expect.any(String), status: 'FAILED' },
      test: true,
    });
    await eventually(async () => {
      expect((await show(orgId, sent.body.id)).body).toMatchObject({
        test: true,
        status: 'DELIVERED',
      });
    });
    expect(other.requests).toEqual([]);
    expect((await call('POST', { path: '/test', orgId, body: { label: 'none' } })).status).toBe(
      404,
    );
    const wrong = { label: webhook.label, event_type: 'WORKFLOW_LOST' };
    expect((await call('POST', { path: '/test', orgId, body: wrong })).status).toBe(400);
  });

  it('shows a delivery with its request and every answer, without secrets', async () => {
    const orgId = uuidv7();
    const target = await receiver((index) =>
      index === 0
        ? { status: 500, headers: { 'content-type': 'text/plain' }, body: 'no room for orders' }
        : { status: 201 },
    );
    const webhook = await register(orgId, `${target.url}/hook`, {
      auth_header: { name: 'X-Api-Key', value: 'open sesame' },
    });
    const payment = paymentEvent(orgId, { status: 'COMPLETE' });
    await publish(payment);
    const { id } = await eventually(async () => {
      const [delivery] = (await list(orgId)).body.deliveries;
      expect(delivery).toMatchObject({ attempts: 1, next_attempt_at: expect.any(String) });
      return delivery as WebhookDelivery;
    });
    // A pending delivery is attempted at once and keeps its schedule.
    expect((await resend(orgId, id)).status).toBe(200);
    const shown = await eventually(async () => {
      const answer = await show(orgId, id);
      expect(answer.body.status).toBe('DELIVERED');
      return answer;
    });
    expect(shown).toEqual({
      status: 200,
      body: {
        id,
        label: webhook.label,
        event_type: 'WORKFLOW_COMPLETED',
        workflow_id: payment.subject,
        test: false,
        status: 'DELIVERED',
        attempts: 2,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        finished_at: expect.stringMatching(/Z$/),
        next_attempt_at: null,
        request: {
          method: 'POST',
          url: `${target.url}/hook`,
          headers: expect.objectContaining({
            'user-agent': expect.stringMatching(/^Bascule-Webhooks\/\d+\.\d+\.\d+$/),
            'webhook-id': id,
            'x-api-key': '***',
            'x-service-signature': '***',
          }),
          body: target.requests[0]?.body.toString(),
        },
        attempt_log: [
          expect.objectContaining({
            number: 1,
            outcome: 'refused',
            url: `${target.url}/hook`,
            answer: { status_code: 500, content_type: 'text/plain', body: 'no room for orders' },
          }),
          expect.objectContaining({
            number: 2,
            outcome: 'acknowledged',
            answer: { status_code: 201, content_type: null, body: '' },
          }),
        ],
      },
    });
    expect(JSON.stringify(shown.body)).not.toContain('open sesame');
    expect(JSON.stringify(shown.body)).not.toContain(webhook.signing_secret);
  });

  it('pages through deliveries, newest first, while new ones arrive', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const [one, two] = [await register(orgId, target.url), await register(orgId, target.url)];
    const events = Array.from({ length: 7 }, () => paymentEvent(orgId, { status: 'COMPLETE' }));
    await publish(...events);
    await eventually(async () => {
      expect((await list(orgId, '?limit=100&status=DELIVERED')).body.deliveries).toHaveLength(14);
    });
    const all = (await list(orgId, '?limit=100')).body.deliveries;
    const paged: WebhookDelivery[] = [];
    for (let key: string | null = ''; key !== null;) {
      const page: WebhookDeliveryPage = (
        await list(orgId, `?limit=4${key === '' ? '' : `&pagination_key=${key}`}`)
      ).body;
      if (key === '') {
        await publish(paymentEvent(orgId, { status: 'FAILED' }));
        await eventually(async () => {
          expect((await list(orgId, '?limit=100')).body.deliveries).toHaveLength(16);
        });
      }
      paged.push(...page.deliveries);
      key = page.next_pagination_key;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const ofOne = (await list(orgId, `?label=${one.label}`)).body.deliveries;
    expect(new Set(ofOne.map(({ label }) => label))).toEqual(new Set([one.label]));
    expect(ofOne).toHaveLength(8);
    const workflow = (await list(orgId, `?workflow_id=${events[0]?.subject}`)).body.deliveries;
    expect(workflow.map(({ label }) => label).sort()).toEqual([one.label, two.label].sort());
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'status=LOST', 'pagination_key=x']) {
      expect((await list(orgId, `?${wrong}`)).status).toBe(400);
    }
    expect((await list(orgId, '?label=none')).status).toBe(404);
  });

  it('resends an ended delivery with the same id and bytes and a new schedule', async () => {
    const orgId = uuidv7();
    let status = 500;
    const target = await receiver(() => ({ status }));
    const webhook = await register(orgId, target.url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    await failed(webhook.id, 1);
    const [{ id } = { id: '' }] = await deliveriesOf(webhook.id);
    status = 200;
    expect(await resend(orgId, id)).toMatchObject({
      status: 200,
      body: { id, status: 'PENDING', attempts: 1 },
    });
    await eventually(async () => {
      expect((await show(orgId, id)).body).toMatchObject({ status: 'DELIVERED', attempts: 2 });
    });
    const [first, second] = target.requests;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect((await show(orgId, id)).body.attempt_log.map(({ number }) => number)).toEqual([1, 2]);
    // A delivered one can be resent too, and a later event does not enqueue it again.
    await resend(orgId, id);
    await eventually(() => {
      expect(target.requests).toHaveLength(3);
    });
    await call('DELETE', { orgId, query: `?label=${webhook.label}` });
    expect((await resend(orgId, id)).status).toBe(409);
  });

  it('resends all deliveries that failed since a time, and no others', async () => {
    const orgId = uuidv7();
    let status = 500;
    const target = await receiver(() => ({ status }));
    const webhook = await register(orgId, target.url);
    const other = await register(orgId, target.url);
    await publish(...Array.from({ length: 3 }, () => paymentEvent(orgId, { status: 'COMPLETE' })));
    await failed(webhook.id, 3);
    await failed(other.id, 3);
    const [{ id: early } = { id: '' }] = await deliveriesOf(webhook.id);
    await query(
      `UPDATE webhook_delivery_log SET finished_at = now() - interval '1 hour' WHERE id = $1`,
      [early],
    );
    status = 204;
    const since = new Date(Date.now() - 1_800_000).toISOString();
    const resendFailed = (body: object, caller = orgId) =>
      call<WebhookResendFailed>('POST', {
        path: '/deliveries/resend-failed',
        orgId: caller,
        body,
      });
    expect((await resendFailed({ since }, uuidv7())).body).toEqual({ resent: 0, more: false });
    expect((await resendFailed({ since, label: webhook.label })).body).toEqual({
      resent: 2,
      more: false,
    });
    await eventually(async () => {
      const statuses = (await deliveriesOf(webhook.id)).map((each) => each.status).sort();
      expect(statuses).toEqual(['DELIVERED', 'DELIVERED', 'FAILED']);
    });
    expect((await deliveriesOf(other.id)).map((each) => each.status)).toEqual(
      Array(3).fill('FAILED'),
    );
    expect((await resendFailed({ since })).body).toEqual({ resent: 3, more: false });
    expect((await resendFailed({})).status).toBe(400);
  });

  it('separates organisations, and rejects publishable keys', async () => {
    const orgId = uuidv7();
    const webhook = await register(orgId, (await receiver()).url);
    await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
    const [{ id } = { id: '' }] = await eventually(async () => {
      const deliveries = await deliveriesOf(webhook.id);
      expect(deliveries).toHaveLength(1);
      return deliveries;
    });
    const stranger = uuidv7();
    expect((await show(stranger, id)).status).toBe(404);
    expect((await resend(stranger, id)).status).toBe(404);
    expect((await list(stranger)).body.deliveries).toEqual([]);
    expect((await show(orgId, 'x')).status).toBe(400);
    const calls = [
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${id}`],
      ['POST', `/deliveries/${id}/resend`],
      ['POST', '/deliveries/resend-failed'],
      ['POST', '/test'],
    ] as const;
    for (const [method, path] of calls) {
      for (const caller of [{ kind: 'publishable' as const }, { permissions: [] }]) {
        expect((await call(method, { path, orgId, caller })).status).toBe(403);
      }
    }
  });

  it('is available on the operator’s command line, too', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const { label, id: webhookId } = await register(orgId, target.url);
    const operator = async <T>(...args: string[]): Promise<T> => {
      const { stdout } = await run(
        process.execPath,
        [resolve('tools/operator.mjs'), 'webhooks', ...args],
        { env: { DATABASE_URL: databaseUrl(), WEBHOOK_SECRET_KEYS: secretKeys } },
      );
      return JSON.parse(stdout) as T;
    };
    const ofOrganisation = ['--organisation', orgId];
    expect(await operator('list', ...ofOrganisation)).toMatchObject({ id: webhookId, label });
    const { id } = await operator<{ id: string }>('test', ...ofOrganisation, '--label', label);
    await eventually(() => {
      expect(target.requests).toHaveLength(1);
    });
    const shown = await operator<WebhookDeliveryDetails>('show', id, ...ofOrganisation);
    expect(shown).toMatchObject({ id, test: true, request: { url: target.url } });
    await eventually(async () => {
      const page = await operator<WebhookDeliveryPage>('deliveries', ...ofOrganisation);
      expect(page.deliveries).toMatchObject([{ id, status: 'DELIVERED' }]);
    });
    await operator('resend', id, ...ofOrganisation);
    await eventually(() => {
      expect(target.requests).toHaveLength(2);
    });
    expect(await operator('resend-failed', ...ofOrganisation, '--since', '2026-01-01')).toEqual({
      resent: 0,
      more: false,
    });
    expect(await operator('rotate-keys')).toMatchObject({ key: 'a', encrypted_again: 0 });
    await expect(operator('show', uuidv7(), ...ofOrganisation)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Delivery .* not found/),
    });
    await expect(operator('resend', id)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--organisation is missing'),
    });
  }, 240_000);
});
