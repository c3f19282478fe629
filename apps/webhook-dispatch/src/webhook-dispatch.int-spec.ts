import { createHmac } from 'node:crypto';
import {
  type ErrorBody,
  type PaymentEvent,
  type Permission,
  TOPICS,
  type WebhookCreated,
  type WebhookDeliveryBody,
} from '@bascule/contracts';
import {
  INTERNAL_TOKEN_HEADER,
  startService,
  type Caller,
  type RunningService,
} from '@bascule/http';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import { pendingSchemaChanges } from '@bascule/persistence';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startCapturingServer,
  type CannedResponse,
  type CapturingServer,
  type ServiceDatabase,
} from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { webhookDispatchService } from './index.js';

const ENVIRONMENT = 'test';
const BOTH = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'];
const tokens = internalTokens();

interface Answer<T> {
  status: number;
  body: T;
}

describe('the webhook dispatcher', () => {
  let database: ServiceDatabase;
  let service: RunningService;
  let data: DataSource;
  const receivers: CapturingServer[] = [];

  const start = async (): Promise<RunningService> =>
    startService(webhookDispatchService, {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      ENVIRONMENT,
      DATABASE_URL: database.database.url,
      WEBHOOK_SECRET_KEYS: JSON.stringify([
        { kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') },
      ]),
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      WEBHOOK_ACK_TIMEOUT_MS: '400',
    });

  beforeAll(async () => {
    database = await createServiceDatabase('webhook_dispatch');
    const env = {
      ...tokens.env,
      PORT: '0',
      DATABASE_URL: database.database.url,
      WEBHOOK_SECRET_KEYS: JSON.stringify([
        { kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') },
      ]),
    };
    await webhookDispatchService.migrate?.(webhookDispatchService.parseConfig(env));
    service = await start();
    data = service.app.get(DataSource);
  });
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(async () => {
    await service.shutdown({ graceMs: 0 });
    await database.drop();
  });

  async function call<T>(
    method: 'POST' | 'GET' | 'DELETE' | 'PATCH',
    options: { orgId?: string; body?: unknown; query?: string; caller?: Partial<Caller> } = {},
  ): Promise<Answer<T>> {
    const permissions: Permission[] = ['webhooks'];
    const token = await tokens.token({
      permissions,
      ...(options.orgId && { orgId: options.orgId }),
      ...options.caller,
    });
    const hasBody = options.body !== undefined;
    const response = await fetch(`${service.url}/orgs/webhooks${options.query ?? ''}`, {
      method,
      headers: {
        [INTERNAL_TOKEN_HEADER]: token,
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(options.body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
  }

  async function receiver(
    respond: (index: number) => CannedResponse | Promise<CannedResponse> = () => ({}),
  ): Promise<CapturingServer> {
    const created = await startCapturingServer((_, index) => respond(index));
    receivers.push(created);
    return created;
  }

  const register = async (
    orgId: string,
    url: string,
    extra: object = {},
  ): Promise<WebhookCreated> => {
    const { status, body } = await call<WebhookCreated>('POST', {
      orgId,
      body: { url, label: uuidv7(), event_types: BOTH, ...extra },
    });
    expect(status).toBe(200);
    return body;
  };

  function paymentEvent(
    orgId: string,
    payment: { status: string; id?: string; at?: Date; version?: number },
  ): PaymentEvent {
    const id = payment.id ?? uuidv7();
    const version = payment.version ?? 2;
    return createEnvelope(
      {
        topic: TOPICS.payment,
        type: payment.status === 'FAILED' ? 'payment.failed' : 'payment.completed',
        key: id,
        data: {
          version,
          payment: {
            payment_id: id,
            org_id: orgId,
            status: payment.status,
            completed_at: (payment.at ?? new Date(Date.now() + 1_000)).toISOString(),
          },
        },
      },
      { source: 'payment', environment: ENVIRONMENT },
    ) as PaymentEvent;
  }

  const publish = (...events: PaymentEvent[]): Promise<void> =>
    service.app.get<Transport>(TRANSPORT).publish(
      events.map((event) => ({
        topic: TOPICS.payment.name,
        key: event.subject,
        headers: {},
        value: Buffer.from(JSON.stringify(event)),
      })),
    );

  const deliveriesOf = (
    webhookId: string,
  ): Promise<{ id: string; status: string; attempts: number }[]> =>
    data.query('SELECT id, status, attempts FROM webhook_deliveries WHERE webhook_id = $1', [
      webhookId,
    ]);

  const makeDue = (webhookId: string): Promise<unknown> =>
    data.query(
      `UPDATE webhook_deliveries SET due_at = now() WHERE webhook_id = $1 AND status = 'PENDING'`,
      [webhookId],
    );

  describe('management', () => {
    it('registers, lists without secrets, and deletes', async () => {
      const orgId = uuidv7();
      const target = await receiver();
      const created = await call<WebhookCreated>('POST', {
        orgId,
        body: {
          url: target.url,
          label: 'orders',
          event_types: ['WORKFLOW_COMPLETED'],
          auth_header: { name: 'X-Api-Key', value: 'open sesame' },
        },
      });
      expect(created).toEqual({
        status: 200,
        body: {
          id: expect.any(String),
          label: 'orders',
          url: target.url,
          event_types: ['WORKFLOW_COMPLETED'],
          auth_header_name: 'X-Api-Key',
          signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        },
      });
      const { signing_secret: _, ...shown } = created.body;
      expect(await call('GET', { orgId })).toEqual({ status: 200, body: [shown] });
      expect(await call('DELETE', { orgId, query: '?label=orders' })).toEqual({
        status: 200,
        body: null,
      });
      expect(await call('GET', { orgId })).toEqual({ status: 200, body: [] });
    });

    it('keeps secrets encrypted at rest', async () => {
      const created = await register(uuidv7(), (await receiver()).url, {
        auth_header: { name: 'authorization', value: 'Bearer open-sesame' },
        signing_secret: 'a-secret-of-our-own',
      });
      expect(created.signing_secret).toBe('a-secret-of-our-own');
      const stored = JSON.stringify([
        await data.query('SELECT * FROM webhooks WHERE id = $1', [created.id]),
        await data.query('SELECT * FROM webhook_signing_secrets WHERE webhook_id = $1', [
          created.id,
        ]),
      ]);
      expect(stored).not.toContain('open-sesame');
      expect(stored).not.toContain('a-secret-of-our-own');
    });

    it('lets one of many with the same label win, and frees the label when it is deleted', async () => {
      const orgId = uuidv7();
      const { url } = await receiver();
      const body = { url, label: 'raced', event_types: BOTH };
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => call<ErrorBody>('POST', { orgId, body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.errors[0]).toMatchObject({
        kind: 'other',
      });
      // Another organisation may have the same label.
      expect((await call('POST', { orgId: uuidv7(), body })).status).toBe(200);
      await call('DELETE', { orgId, body: { label: 'raced' } });
      expect((await call('POST', { orgId, body })).status).toBe(200);
    });

    it('answers 404 for a label that the organisation does not have, also when another one has', async () => {
      const created = await register(uuidv7(), (await receiver()).url);
      const other = uuidv7();
      expect(
        (await call('DELETE', { orgId: other, query: `?label=${created.label}` })).status,
      ).toBe(404);
      expect((await call('GET', { orgId: other })).body).toEqual([]);
    });

    it('refuses publishable keys and key sets without the permission', async () => {
      for (const caller of [{ kind: 'publishable' as const }, { permissions: [] }]) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          expect((await call(method, { caller })).status).toBe(403);
        }
      }
    });

    it('reports every problem of a request at once', async () => {
      const { status, body } = await call<ErrorBody>('POST', {
        body: {
          url: 'http://hooks.example.com/',
          label: '',
          event_types: ['WORKFLOW_LOST'],
          auth_header: { name: 'Host', value: 'a\r\nb' },
        },
      });
      expect(status).toBe(400);
      const paths = body.errors.map((error) => ('path' in error ? error.path.join('.') : ''));
      expect(new Set(paths)).toEqual(
        new Set(['url', 'label', 'event_types.0', 'auth_header.name', 'auth_header.value']),
      );
      expect(await call('DELETE')).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['label'] }] },
      });
    });

    it.each([
      'http://10.0.0.1:9000/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/',
      'https://hooks.example.com:8443/',
    ])('refuses the url %s', async (url) => {
      const { status, body } = await call<ErrorBody>('POST', {
        body: { url, label: 'x', event_types: BOTH },
      });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ code: 'custom', path: ['url'], message: expect.any(String) }]);
    });

    it('does not have what a later version will', async () => {
      expect((await call('PATCH', { body: { label: 'x' } })).status).toBe(404);
    });
  });

  describe('delivery', () => {
    it('reports a completed and a failed payment once each, signed over the raw body', async () => {
      const orgId = uuidv7();
      const target = await receiver();
      const webhook = await register(orgId, `${target.url}/hook?x=1`, {
        auth_header: { name: 'X-Api-Key', value: 'open sesame' },
      });
      const completed = paymentEvent(orgId, { status: 'COMPLETE' });
      const failed = paymentEvent(orgId, { status: 'FAILED' });
      // Duplicates, a later state of the same payment, states that are no outcome, another organisation's payment.
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

    it('delivers the same id and the same bytes again after a 500', async () => {
      const orgId = uuidv7();
      const target = await receiver((index) => ({ status: index === 0 ? 500 : 204 }));
      const webhook = await register(orgId, target.url);
      await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
      const due = await eventually(async () => {
        const rows: { attempts: number; seconds: number }[] = await data.query(
          `SELECT attempts, extract(epoch FROM due_at - now())::float AS seconds
           FROM webhook_deliveries WHERE webhook_id = $1 AND finished_at IS NULL`,
          [webhook.id],
        );
        expect(rows[0]?.seconds).toBeGreaterThan(50);
        return rows[0];
      });
      expect(due?.attempts).toBe(1);
      expect(due?.seconds).toBeLessThan(62);
      await makeDue(webhook.id);
      await eventually(async () => {
        expect(await deliveriesOf(webhook.id)).toMatchObject([
          { status: 'DELIVERED', attempts: 2 },
        ]);
      });
      const [first, second] = target.requests;
      expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      const attempts: unknown[] = await data.query(
        `SELECT a.number, a.outcome, a.status_code FROM webhook_delivery_attempts a
         JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = $1 ORDER BY number`,
        [webhook.id],
      );
      expect(attempts).toEqual([
        { number: 1, outcome: 'refused', status_code: 500 },
        { number: 2, outcome: 'acknowledged', status_code: 204 },
      ]);
    });

    it('takes silence, a redirect and a closed port for failures, and never follows a redirect', async () => {
      const orgId = uuidv7();
      const elsewhere = await receiver();
      const silent = await receiver(() => new Promise(() => undefined));
      const redirecting = await receiver(() => ({
        status: 302,
        headers: { location: elsewhere.url },
      }));
      const closed = await startCapturingServer();
      await closed.stop();
      const urls = [silent.url, redirecting.url, closed.url];
      const webhooks = [];
      for (const url of urls) webhooks.push(await register(orgId, url));
      await publish(paymentEvent(orgId, { status: 'FAILED' }));
      await eventually(async () => {
        const outcomes: { url: string; outcome: string }[] = await data.query(
          `SELECT w.url, a.outcome FROM webhook_delivery_attempts a
           JOIN webhook_deliveries d ON d.id = a.delivery_id JOIN webhooks w ON w.id = d.webhook_id
           WHERE w.org_id = $1`,
          [orgId],
        );
        expect(Object.fromEntries(outcomes.map((row) => [row.url, row.outcome]))).toEqual({
          [silent.url]: 'timeout',
          [redirecting.url]: 'refused',
          [closed.url]: 'unreachable',
        });
      });
      expect(elsewhere.requests).toEqual([]);
      for (const webhook of webhooks) {
        expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
      }
    });

    it('reads no more of an endless answer than it needs', async () => {
      const orgId = uuidv7();
      const target = await receiver(() => ({ body: 'x'.repeat(5_000_000) }));
      const webhook = await register(orgId, target.url);
      await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
      await eventually(async () => {
        expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'DELIVERED' }]);
      });
    });

    it('does not connect to an address that has become private since the webhook was registered', async () => {
      const orgId = uuidv7();
      const target = await receiver();
      const webhook = await register(orgId, target.url);
      await data.query('UPDATE webhooks SET url = $2 WHERE id = $1', [
        webhook.id,
        'http://10.255.255.1/',
      ]);
      await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
      await eventually(async () => {
        const rows: unknown[] = await data.query(
          `SELECT a.outcome FROM webhook_delivery_attempts a
           JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = $1`,
          [webhook.id],
        );
        expect(rows).toEqual([{ outcome: 'forbidden_address' }]);
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
        const rows: unknown[] = await data.query(
          `SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND due_at > now() + interval '50 s'`,
          [webhook.id],
        );
        expect(rows).toHaveLength(1);
      });
      await data.query(
        `UPDATE webhook_deliveries SET attempts = 8, first_attempt_at = now() - interval '23 hours'
         WHERE webhook_id = $1`,
        [webhook.id],
      );
      await makeDue(webhook.id);
      await eventually(async () => {
        expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'FAILED', attempts: 9 }]);
      });
      const rows: unknown[] = await data.query(
        'SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND due_at IS NOT NULL',
        [webhook.id],
      );
      expect(rows).toEqual([]);
    });

    it('calls only webhooks that existed when it happened and asked for it', async () => {
      const orgId = uuidv7();
      const target = await receiver();
      const early = await register(orgId, target.url, { event_types: ['WORKFLOW_FAILED'] });
      const late = await register(orgId, target.url);
      await data.query(`UPDATE webhooks SET created_at = now() - interval '1 hour' WHERE id = $1`, [
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
      const secrets: unknown[] = await data.query(
        'SELECT 1 FROM webhook_signing_secrets WHERE webhook_id = $1',
        [webhook.id],
      );
      expect(secrets).toEqual([]);
    });

    it('delivers once though two processes claim', async () => {
      const second = await start();
      try {
        const orgId = uuidv7();
        const target = await receiver();
        const webhook = await register(orgId, target.url);
        const events = Array.from({ length: 30 }, () =>
          paymentEvent(orgId, { status: 'COMPLETE' }),
        );
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
  });

  it('has tables that agree with its entities, and measures its deliveries', async () => {
    expect(await pendingSchemaChanges(data)).toEqual([]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    for (const name of [
      'webhook_deliveries_pending',
      'webhook_deliveries_overdue_seconds',
      'webhook_delivery_attempts_total{outcome="acknowledged"',
      'webhook_deliveries_finished_total{status="FAILED"',
    ]) {
      expect(metrics).toContain(name);
    }
  });
});
