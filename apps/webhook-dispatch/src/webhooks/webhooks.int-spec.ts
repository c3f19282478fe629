import type { ErrorBody, WebhookCreated } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { BOTH, useDispatcher } from '../webhook-dispatch.fixture.js';

describe('managing webhooks', () => {
  const { call, receiver, register, query } = useDispatcher();

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
      await query('SELECT * FROM webhooks WHERE id = $1', [created.id]),
      await query('SELECT * FROM webhook_signing_secrets WHERE webhook_id = $1', [created.id]),
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
    expect((await call('DELETE', { orgId: other, query: `?label=${created.label}` })).status).toBe(
      404,
    );
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
