import { createHmac } from 'node:crypto';
import type { ErrorBody, WebhookCreated, WebhookList, WebhookRotated } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { BOTH, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

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
        created_at: expect.stringMatching(/^20.+Z$/),
        auth_header_name: 'X-Api-Key',
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const { signing_secret: _, ...shown } = created.body;
    expect(await call('GET', { orgId })).toEqual({ status: 200, body: { webhooks: [shown] } });
    expect(await call('DELETE', { orgId, query: '?label=orders' })).toEqual({
      status: 200,
      body: null,
    });
    expect(await call('GET', { orgId })).toEqual({ status: 200, body: { webhooks: [] } });
  });

  it('deletes by the label in the query or in the body', async () => {
    const orgId = uuidv7();
    const { url } = await receiver();
    for (const place of [{ query: '?label=orders' }, { body: { label: 'orders' } }]) {
      await register(orgId, url, { label: 'orders' });
      expect((await call('DELETE', { orgId, ...place })).status).toBe(200);
      expect(await call('GET', { orgId })).toMatchObject({ body: { webhooks: [] } });
    }
    expect((await call('DELETE', { orgId, body: {} })).status).toBe(400);
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

  it('accepts one of many concurrent webhooks with a label, and frees the label on deletion', async () => {
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

  it('answers 404 for an unknown label, also if another organisation has it', async () => {
    const created = await register(uuidv7(), (await receiver()).url);
    const other = uuidv7();
    expect((await call('DELETE', { orgId: other, query: `?label=${created.label}` })).status).toBe(
      404,
    );
    expect((await call('GET', { orgId: other })).body).toEqual({ webhooks: [] });
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

  it('changes the url and the auth header, and nothing else', async () => {
    const orgId = uuidv7();
    const [first, second] = [await receiver(), await receiver()];
    const created = await register(orgId, first.url, {
      auth_header: { name: 'X-Api-Key', value: 'open sesame' },
    });
    const { label } = created;
    const patch = (body: object) => call('PATCH', { orgId, body: { label, ...body } });
    expect(await patch({ url: `${second.url}/new` })).toEqual({
      status: 200,
      body: null,
    });
    const listed = () => call<WebhookList>('GET', { orgId }).then(({ body }) => body.webhooks[0]);
    const { signing_secret: _, ...shown } = created;
    expect(await listed()).toEqual({ ...shown, url: `${second.url}/new` });
    const test = () => call<{ id: string }>('POST', { path: '/test', orgId, body: { label } });
    await test();
    await eventually(() => {
      expect(second.requests[0]?.headers).toMatchObject({ 'x-api-key': 'open sesame' });
    });
    await patch({ auth_header: { name: 'Authorization', value: 'Bearer 2' } });
    await test();
    await eventually(() => {
      expect(second.requests[1]?.headers).toMatchObject({ authorization: 'Bearer 2' });
    });
    expect(second.requests[1]?.headers).not.toHaveProperty('x-api-key');
    expect(await patch({ auth_header: null })).toEqual({ status: 200, body: null });
    expect(await patch({})).toEqual({ status: 200, body: null });
    expect(await listed()).not.toHaveProperty('auth_header_name');
    await test();
    await eventually(() => {
      expect(second.requests).toHaveLength(3);
    });
    expect(second.requests[2]?.headers).not.toHaveProperty('authorization');
    expect(first.requests).toEqual([]);
  });

  it.each([[['WORKFLOW_FAILED']], [[]], [null]])(
    'refuses to change the event types to %j, with the url unchanged',
    async (event_types) => {
      const orgId = uuidv7();
      const { label, url } = await register(orgId, (await receiver()).url);
      const body = { label, url: `${url}/new`, event_types };
      expect(await call('PATCH', { orgId, body })).toMatchObject({
        status: 400,
        body: { errors: [{ code: 'invalid_value', path: ['event_types'] }] },
      });
      expect((await call('GET', { orgId })).body).toMatchObject({
        webhooks: [{ url, event_types: BOTH }],
      });
    },
  );

  it('rejects changes with all problems at once, and changes of unknown webhooks', async () => {
    const orgId = uuidv7();
    const { label, url } = await register(orgId, (await receiver()).url);
    const { status, body } = await call<ErrorBody>('PATCH', {
      orgId,
      body: { url: 'https://10.0.0.1/', auth_header: { name: 'a b', value: '\n' } },
    });
    expect(status).toBe(400);
    expect(
      new Set(body.errors.map((error) => ('path' in error ? error.path.join('.') : ''))),
    ).toEqual(new Set(['label', 'url', 'auth_header.name', 'auth_header.value']));
    expect((await call('PATCH', { orgId: uuidv7(), body: { label, url } })).status).toBe(404);
    expect((await call('PATCH', { orgId, body: { label: 'other', url } })).status).toBe(404);
    for (const caller of [{ kind: 'publishable' as const }, { permissions: [] }]) {
      expect((await call('PATCH', { orgId, caller, body: { label } })).status).toBe(403);
      const path = '/rotate-secret';
      expect((await call('POST', { path, orgId, caller, body: { label } })).status).toBe(403);
    }
  });

  it('rotates secrets: all active ones sign, and old ones retire as requested, at least a day later', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const created = await register(orgId, target.url);
    const { label, id } = created;
    const rotate = async (body: object, retireAt: unknown): Promise<string> => {
      const rotated = await call<WebhookRotated>('POST', {
        path: '/rotate-secret',
        orgId,
        body: { label, ...body },
      });
      expect(rotated).toEqual({
        status: 200,
        body: { id, signing_secret: expect.stringMatching(/^whsec_/), retire_at: retireAt },
      });
      return rotated.body.signing_secret;
    };
    const retirements = () =>
      query<{ hours: number | null }>(
        `SELECT round(extract(epoch FROM retires_at - now()) / 3600)::integer AS hours
         FROM webhook_signing_secrets WHERE webhook_id = $1 ORDER BY created_at`,
        [id],
      ).then((rows) => rows.map(({ hours }) => hours));

    const second = await rotate({}, null);
    expect(await retirements()).toEqual([null, null]);
    const third = await rotate({ retire_after: new Date().toISOString() }, expect.any(String));
    expect(await retirements()).toEqual([24, 24, null]);
    const inTwoDays = new Date(Date.now() + 48 * 3_600_000).toISOString();
    const fourth = await rotate({ retire_after: inTwoDays }, inTwoDays);
    expect(await retirements()).toEqual([24, 24, 48, null]);

    await call('POST', { path: '/test', orgId, body: { label } });
    await eventually(() => {
      expect(target.requests).toHaveLength(1);
    });
    const [sent] = target.requests;
    const signatureBy = (secret: string): string =>
      `v1=0x${createHmac('sha256', secret)
        .update(sent?.body ?? '')
        .digest('hex')}`;
    expect(sent?.headers['x-service-signature']).toBe(
      [created.signing_secret, second, third, fourth].map(signatureBy).join(','),
    );
    await query(
      `UPDATE webhook_signing_secrets SET retires_at = now() WHERE webhook_id = $1
       AND retires_at IS NOT NULL`,
      [id],
    );
    await call('POST', { path: '/test', orgId, body: { label } });
    await eventually(() => {
      expect(target.requests).toHaveLength(2);
    });
    expect(target.requests[1]?.headers['x-service-signature']).toMatch(/^v1=0x[0-9a-f]{64}$/);
  });

  it('rejects a rotation of an unknown webhook, with an invalid time, or above the limit of secrets', async () => {
    const orgId = uuidv7();
    const { label } = await register(orgId, (await receiver()).url);
    const rotate = (body: object) =>
      call<ErrorBody>('POST', { path: '/rotate-secret', orgId, body }).then(({ status }) => status);
    expect(await rotate({ label: 'other' })).toBe(404);
    for (const retire_after of [
      'soon',
      '2026-13-01',
      '2026-02-30',
      1_800_000_000,
      '2026-12-01T10:00',
    ]) {
      expect(await rotate({ label, retire_after })).toBe(400);
    }
    const statuses = [];
    for (let n = 0; n < 10; n += 1) statuses.push(await rotate({ label }));
    expect(statuses).toEqual([...Array<number>(9).fill(200), 409]);
  });

  it.each<[string, object, string[]]>([
    ['a url without a host', { url: 'https:///hook' }, ['url']],
    ['a url with credentials', { url: 'https://a:b@example.com/' }, ['url']],
    ['a url over 2,048 characters', { url: `https://example.com/${'x'.repeat(2_029)}` }, ['url']],
    ['a url that is not a string', { url: 5 }, ['url']],
    ['unknown event types', { event_types: ['WORKFLOW_LOST'] }, ['event_types.0']],
    ['no event types', { event_types: [] }, ['event_types']],
    ['repeated event types', { event_types: [BOTH[0], BOTH[0]] }, ['event_types']],
    ['an empty label', { label: '' }, ['label']],
    ['a label over 255', { label: 'x'.repeat(256) }, ['label']],
    ...[
      'a b',
      'ä',
      'x:',
      'content-length',
      'Host',
      'webhook-id',
      'X-Service-Signature',
      'traceparent',
    ].map((name): [string, object, string[]] => [
      `the header ${name}`,
      { auth_header: { name, value: 'x' } },
      ['auth_header.name'],
    ]),
    ...['a\nb', 'a\rb', 'a\r\nx: y', '', ' ', 'ü', '\u0000'].map(
      (value): [string, object, string[]] => [
        `the header value ${JSON.stringify(value)}`,
        { auth_header: { name: 'x-key', value } },
        ['auth_header.value'],
      ],
    ),
  ])('rejects %s with the reason', async (_, wrong, paths) => {
    const { status, body } = await call<ErrorBody>('POST', {
      body: { url: 'http://127.0.0.1:9/', label: 'x', event_types: BOTH, ...wrong },
    });
    expect(status).toBe(400);
    expect([
      ...new Set(body.errors.map((error) => ('path' in error ? error.path.join('.') : ''))),
    ]).toEqual(paths);
    for (const error of body.errors) {
      expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    }
  });
});

describe('without the development option', () => {
  const { call, receiver } = useDispatcher({ WEBHOOK_ALLOW_LOOPBACK: 'false' });

  it('rejects webhooks on this machine', async () => {
    const { url, port } = await receiver();
    for (const refused of [
      url,
      `https://localhost:${port}/`,
      'https://localhost/',
      'https://127.1/',
    ]) {
      const body = { url: refused, label: 'x', event_types: BOTH };
      expect(await call<ErrorBody>('POST', { body })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['url'] }] },
      });
    }
  });
});
