import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  Webhook,
  WebhookCreated,
  WebhookDeliveryBody,
  WebhookList,
  WebhookRotated,
} from '@bascule/contracts';
import { eventually, startCapturingServer, type CapturingServer } from '@bascule/testing';
import { createHmac } from 'node:crypto';
import type { Api } from '../../tools/first-payment/api.js';
import { quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { newTestUserWith, type Stage } from '../../tools/first-payment/test-user.js';
import { fund } from '../../tools/first-payment/swap.js';
import { silentStage } from './testing/stage.fixture.js';
import { DescribedMessages } from '../schemas/described-messages.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const RETRY_AFTER_MS = 60_000;
const DAY_MS = 86_400_000;

let stack: StackProcess;
let stage: Stage;
let api: Api;
let receiver: CapturingServer;

beforeAll(async () => {
  stack = await StackProcess.create('webhooks');
  stage = await silentStage(await stack.start());
  api = stage.api;
  receiver = await startCapturingServer((_request, index) => ({ status: index === 0 ? 500 : 204 }));
});

afterAll(async () => {
  await stage.webhooks.close();
  await receiver.stop();
  await stack.dispose();
});

const registration = (label: string) => ({
  url: `${receiver.url}/hook`,
  label,
  event_types: ['WORKFLOW_COMPLETED'],
});

const register = (body: unknown) => api.request('POST', '/orgs/webhooks', { body });

const remove = (label: string) => api.request('DELETE', '/orgs/webhooks', { query: { label } });

const listed = async (label: string): Promise<Webhook | undefined> =>
  ((await api.request('GET', '/orgs/webhooks')).body as WebhookList).webhooks.find(
    (webhook) => webhook.label === label,
  );

describe('webhooks of an organisation', () => {
  it('are registered, listed without their secret, and deleted by label', async () => {
    const created = await register(registration('first'));
    expect(created).toMatchObject({
      status: 200,
      body: { label: 'first', url: `${receiver.url}/hook`, signing_secret: expect.any(String) },
    });
    const { signing_secret: _, ...shown } = created.body as WebhookCreated;
    expect(await listed('first')).toEqual({
      ...shown,
      event_types: ['WORKFLOW_COMPLETED'],
      created_at: expect.stringMatching(/Z$/),
    });

    expect((await register(registration('first'))).status).toBe(409);
    expect((await remove('first')).status).toBe(200);
    expect((await remove('first')).status).toBe(404);
  });

  it('keep their event types: a change of them is refused', async () => {
    await register(registration('kept'));
    const patch = (body: object) =>
      api.request('PATCH', '/orgs/webhooks', { body: { label: 'kept', ...body } });
    expect(await patch({ event_types: ['WORKFLOW_FAILED'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['event_types'] }] },
    });
    expect(
      (await patch({ auth_header: { name: 'X-Shop-Token', value: 'open sesame' } })).status,
    ).toBe(200);
    expect(await listed('kept')).toMatchObject({
      event_types: ['WORKFLOW_COMPLETED'],
      auth_header_name: 'X-Shop-Token',
    });
    await remove('kept');
  });

  it('answer a rotation with the time at which earlier secrets retire', async () => {
    await register(registration('rotated'));
    const rotate = async (body: object) =>
      (
        await api.request('POST', '/orgs/webhooks/rotate-secret', {
          body: { label: 'rotated', ...body },
        })
      ).body;
    expect(await rotate({})).toMatchObject({ retire_at: null });
    const retire_after = new Date(Date.now() + 3 * DAY_MS).toISOString();
    expect(await rotate({ retire_after })).toEqual({
      id: (await listed('rotated'))?.id,
      signing_secret: expect.any(String),
      retire_at: retire_after,
    });
    const floored = (await rotate({ retire_after: new Date().toISOString() })) as WebhookRotated;
    expect(Date.parse(floored.retire_at ?? '')).toBeGreaterThan(Date.now() + DAY_MS / 2);
    await remove('rotated');
  });

  it.each([
    'http://example.com/hook',
    'https://10.0.0.1/hook',
    'https://example.com:8443/hook',
    'ftp://127.0.0.1/hook',
    'nonsense',
  ])('are refused for %s', async (url) => {
    expect((await register({ ...registration('refused'), url })).status).toBe(400);
  });
});

describe('a delivery', () => {
  it('is repeated after a 500, signed and with the same bytes and id', async () => {
    const { signing_secret } = (await register(registration('retried'))).body as WebhookCreated;
    const paymentId = await completedPayment();
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(2), {
      timeoutMs: RETRY_AFTER_MS + 90_000,
    });
    const [first, second] = receiver.requests;
    if (!first || !second) throw new Error('no deliveries');
    expect(second.body).toEqual(first.body);
    expect(JSON.parse(first.body.toString()) as WebhookDeliveryBody).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.stringMatching(/Z$/),
      event_type: 'WORKFLOW_COMPLETED',
      event: { workflow_id: paymentId, status: 'COMPLETE' },
    });
    const described = new DescribedMessages();
    for (const { headers, body } of [first, second]) {
      const payload = JSON.parse(body.toString()) as WebhookDeliveryBody;
      expect(described.payloadProblems('WORKFLOW_COMPLETED', payload)).toEqual([]);
      expect(described.headerProblems('WORKFLOW_COMPLETED', headers)).toEqual([]);
      const digest = createHmac('sha256', signing_secret).update(body).digest('hex');
      expect(headers['x-service-signature']).toContain(`v1=0x${digest}`);
    }
  }, 240_000);
});

async function completedPayment(): Promise<string> {
  const { chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, '12');
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: '12' },
    output: usdc,
    owner: user.owner.address,
    destination: user.destination,
  });
  await fund(stage, user, payment);
  await stage.webhooks.waitFor(payment.payment_id, 'COMPLETE');
  return payment.payment_id;
}
