import type { ErrorBody, WebhookCreated, WebhookList } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { BOTH, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

const MOST = 2;
const AT_ONCE = 6;

describe('the webhooks of an organisation', () => {
  const { call, receiver, register, startAnother, databaseUrl } = useDispatcher({
    MAX_WEBHOOKS_PER_ORGANISATION: String(MOST),
  });

  const post = (orgId: string, url: string, at?: string) =>
    call<ErrorBody>('POST', {
      orgId,
      body: { url, label: uuidv7(), event_types: BOTH },
      ...(at !== undefined && { at }),
    });
  const labels = async (orgId: string) =>
    (await call<WebhookList>('GET', { orgId })).body.webhooks.map(({ label }) => label);
  const refusal = {
    status: 409,
    body: {
      errors: [
        {
          kind: 'other',
          message: 'The organisation has 2 webhooks, the maximum. Delete one, and register again.',
        },
      ],
    },
  };

  it('are refused above their limit, until one is deleted, while another organisation registers', async () => {
    const [orgId, another] = [uuidv7(), uuidv7()];
    const { url } = await receiver();
    const first = await register(orgId, url);
    const second = await register(orgId, url);
    expect(await post(orgId, url)).toEqual(refusal);
    expect(await labels(orgId)).toEqual([first.label, second.label]);
    expect((await post(another, url)).status).toBe(200);
    await call('DELETE', { orgId, query: `?label=${first.label}` });
    expect((await post(orgId, url)).status).toBe(200);
    expect(await post(orgId, url)).toEqual(refusal);
  });

  it('do not exceed it when they are registered at once at two processes', async () => {
    const orgId = uuidv7();
    const { url } = await receiver();
    const other = await startAnother();
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      // Inserts wait while reads go on: without a lock each request would count no webhook yet.
      await client.query('BEGIN');
      await client.query('LOCK TABLE webhook_dispatch.webhooks IN SHARE MODE');
      const answers = Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          post(orgId, url, n % 2 === 0 ? other.url : undefined),
        ),
      );
      await eventually(async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
           WHERE d.datname = current_database() AND NOT l.granted`,
        );
        expect(rows).toHaveLength(AT_ONCE);
      });
      await client.query('COMMIT');
      const statuses = (await answers).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 200, 409, 409, 409, 409]);
    } finally {
      await client.end();
      await other.shutdown({ graceMs: 0 });
    }
    expect(await labels(orgId)).toHaveLength(MOST);
  });

  it('are answered again at the limit where the Idempotency-Key is that of an existing one', async () => {
    const orgId = uuidv7();
    const { url } = await receiver();
    await register(orgId, url);
    const body = { url, label: 'last', event_types: BOTH };
    const last = () =>
      call<WebhookCreated>('POST', {
        orgId,
        body,
        headers: { 'idempotency-key': 'one' },
        caller: { keyId: orgId },
      });
    const first = await last();
    expect(first.status).toBe(200);
    expect(await last()).toEqual({ ...first, replayed: 'true' });
    expect(await post(orgId, url)).toEqual(refusal);
  });
});
