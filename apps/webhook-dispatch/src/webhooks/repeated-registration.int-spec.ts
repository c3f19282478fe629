import type { ErrorBody, WebhookCreated } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { concurrently } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { BOTH, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

describe('POST /orgs/webhooks with an Idempotency-Key', () => {
  const { call, receiver, query, startAnother } = useDispatcher();

  const aBody = async (label = 'orders') => {
    const { url } = await receiver();
    return { url, label, event_types: BOTH, auth_header: { name: 'x-key', value: 'open sesame' } };
  };
  const register = (
    orgId: string,
    body: object,
    { key = 'one', at, caller }: { key?: string; at?: string; caller?: Partial<Caller> } = {},
  ) =>
    call<WebhookCreated & ErrorBody>('POST', {
      orgId,
      body,
      headers: { 'idempotency-key': key },
      ...(at !== undefined && { at }),
      caller: { keyId: orgId, ...caller },
    });

  it('registers once and repeats the answer with the signing secret, which is stored encrypted', async () => {
    const orgId = uuidv7();
    const body = await aBody();
    const first = await register(orgId, body);
    expect(first).toMatchObject({ status: 200, body: { signing_secret: expect.any(String) } });
    expect(first.replayed).toBeUndefined();
    expect(await register(orgId, body)).toEqual({ ...first, replayed: 'true' });
    expect(await register(orgId, body, { key: 'another' })).toMatchObject({ status: 409 });
    const stored = JSON.stringify(await query('SELECT answer FROM idempotency_records'));
    expect(stored).not.toContain(first.body.signing_secret);
    expect(stored).not.toContain('sesame');
  });

  it('repeats the answer after the webhook was deleted, and registers nothing', async () => {
    const orgId = uuidv7();
    const body = await aBody();
    const first = await register(orgId, body);
    await call('DELETE', { orgId, query: '?label=orders' });
    expect((await register(orgId, body)).body).toEqual(first.body);
    expect((await call('GET', { orgId })).body).toEqual({ webhooks: [] });
  });

  it('registers one webhook from a thousand requests at two processes', async () => {
    const another = await startAnother();
    const orgId = uuidv7();
    const body = await aBody();
    const answers = await concurrently(
      Array.from({ length: 1_000 }, (_, index) => index % 2 === 0),
      (isThere) => register(orgId, body, isThere ? { at: another.url } : {}),
    );
    await another.shutdown({ graceMs: 0 });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1);
    expect(await query('SELECT id FROM webhooks WHERE org_id = $1', [orgId])).toHaveLength(1);
  });

  it('refuses another body, and a malformed key', async () => {
    const orgId = uuidv7();
    const body = await aBody();
    await register(orgId, body);
    expect(await register(orgId, { ...body, label: 'other' })).toEqual({
      status: 422,
      body: { errors: [{ kind: 'other', message: expect.stringContaining('another body') }] },
    });
    expect(await register(orgId, body, { key: 'two words' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_format', path: ['Idempotency-Key'] }] },
    });
  });

  it('stores no refusal', async () => {
    const orgId = uuidv7();
    const body = await aBody();
    expect((await register(orgId, { ...body, url: 'ftp://shop.example' })).status).toBe(400);
    expect((await register(orgId, body)).status).toBe(200);
  });

  it('checks the permission before it looks for an answer', async () => {
    const orgId = uuidv7();
    const body = await aBody();
    expect((await register(orgId, body)).status).toBe(200);
    for (const caller of [{ kind: 'publishable' as const }, { permissions: [] }]) {
      expect((await register(orgId, body, { caller })).status).toBe(403);
    }
    const ofAnotherKey = { keyId: uuidv7() };
    expect((await register(orgId, body, { caller: ofAnotherKey })).status).toBe(409);
  });
});
