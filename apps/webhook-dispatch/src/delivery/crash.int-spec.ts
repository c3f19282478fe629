import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { WebhookCreated } from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startCapturingServer,
  type CapturingServer,
  type ServiceDatabase,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { webhookDispatchService } from '../index.js';

const MAIN = resolve('bundle/webhook-dispatch.js');
/** Lease duration, longer than the start of a process. */
const LEASE_MS = 90_000;
const tokens = internalTokens();

describe('a killed process', () => {
  let database: ServiceDatabase;
  let client: pg.Client;
  let target: CapturingServer;
  const children: ChildProcess[] = [];
  let printed = '';

  const environment = (): Record<string, string> => ({
    ...tokens.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'trace',
    LOG_REQUESTS: 'false',
    ENVIRONMENT: 'test',
    DATABASE_URL: database.database.url,
    WEBHOOK_SECRET_KEYS: JSON.stringify([
      { kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') },
    ]),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_ACK_TIMEOUT_MS: '10000',
  });

  beforeAll(async () => {
    database = await createServiceDatabase('webhook_dispatch');
    await webhookDispatchService.migrate?.(webhookDispatchService.parseConfig(environment()));
    client = new pg.Client({ connectionString: database.database.url });
    await client.connect();
    await client.query('SET search_path = webhook_dispatch');
    target = await startCapturingServer();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await client.end();
    await target.stop();
    await database.drop();
  });

  /** Requests to the path of one test, so that other deliveries do not count. */
  const receivedAt = (path: string) => target.requests.filter((each) => each.path === `/${path}`);
  /** Expires the lease of a delivery whose process was killed. */
  const endLease = (id: string): Promise<unknown> =>
    client.query('UPDATE webhook_deliveries SET due_at = now() WHERE id = $1', [id]);

  /** Starts the real process; returns its address. */
  const start = async (
    extra: Record<string, string> = {},
  ): Promise<{ child: ChildProcess; url: string }> => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], ...environment(), ...extra },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      const entry = JSON.parse(line) as { msg?: string; port?: number };
      if (entry.msg === 'listening') {
        child.stdout.resume();
        return { child, url: `http://127.0.0.1:${entry.port}` };
      }
    }
    throw new Error('the process did not start');
  };
  const post = async <T>(
    url: string,
    orgId: string,
    path: string,
    body: object,
    key?: string,
  ): Promise<T> => {
    const response = await fetch(`${url}/orgs/webhooks${path}`, {
      method: 'POST',
      headers: {
        [INTERNAL_TOKEN_HEADER]: await tokens.token({ orgId, permissions: ['webhooks'] }),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as T;
  };

  it.each(['idempotency.stored', 'webhook.registered'])(
    'registers one webhook for a repeated request (%s)',
    async (point) => {
      const orgId = uuidv7();
      const body = { url: target.url, label: 'x', event_types: ['WORKFLOW_COMPLETED'] };
      const register = (url: string) => post<WebhookCreated>(url, orgId, '', body, orgId);
      const doomed = await start({ FAULT_POINTS_ARMED: '1', FAULT_POINT: point });
      const exited = once(doomed.child, 'exit');
      await expect(register(doomed.url)).rejects.toThrow();
      expect(await exited).toEqual([null, 'SIGKILL']);
      const next = await start();
      const created = await register(next.url);
      expect(await register(next.url)).toEqual(created);
      const { rows } = await client.query('SELECT id FROM webhooks WHERE org_id = $1', [orgId]);
      expect(rows).toEqual([{ id: created.id }]);
      next.child.kill('SIGKILL');
    },
  );

  it.each([
    ['after its claim', 'webhook.claimed', 1, ['interrupted', 'acknowledged']],
    ['before it has written the result', 'webhook.sent', 2, ['interrupted', 'acknowledged']],
    ['after it has written the result', 'webhook.finished', 1, ['acknowledged']],
  ])(
    'loses no delivery %s',
    async (_, point, times, outcomes) => {
      const orgId = uuidv7();
      const doomed = await start({ FAULT_POINTS_ARMED: '1', FAULT_POINT: point });
      const exited = once(doomed.child, 'exit');
      await post(doomed.url, orgId, '', {
        url: `${target.url}/${orgId}`,
        label: 'x',
        event_types: ['WORKFLOW_COMPLETED'],
      });
      const { id } = await post<{ id: string }>(doomed.url, orgId, '/test', { label: 'x' });
      expect(await exited).toEqual([null, 'SIGKILL']);
      await endLease(id);
      const next = await start();
      await eventually(
        async () => {
          const { rows } = await client.query<{ status: string }>(
            'SELECT status FROM webhook_delivery_log WHERE id = $1',
            [id],
          );
          expect(rows).toEqual([{ status: 'DELIVERED' }]);
        },
        { timeoutMs: LEASE_MS },
      );
      const received = receivedAt(orgId);
      expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(times).fill(id));
      expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
      const { rows } = await client.query<{ outcome: string }>(
        'SELECT outcome FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number',
        [id],
      );
      expect(rows.map(({ outcome }) => outcome)).toEqual(outcomes);
      const ended = once(next.child, 'exit');
      next.child.kill('SIGKILL');
      await ended;
    },
    180_000,
  );

  it('sends nothing when it was delayed too long after a claim, and another process sends it after the lease', async () => {
    const orgId = uuidv7();
    const idsOf = (): unknown[] => receivedAt(orgId).map(({ headers }) => headers['webhook-id']);
    const held = await start();
    await post(held.url, orgId, '', {
      url: `${target.url}/${orgId}`,
      label: 'x',
      event_types: ['WORKFLOW_COMPLETED'],
    });
    // The process is stopped while its claim waits; the encryption of secrets reads them, too.
    await client.query('BEGIN');
    await client.query('LOCK TABLE webhook_signing_secrets IN ACCESS EXCLUSIVE MODE');
    const { id } = await post<{ id: string }>(held.url, orgId, '/test', { label: 'x' });
    await eventually(
      async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_locks AS waits JOIN pg_locks AS holds USING (pid)
           WHERE waits.relation = 'webhook_signing_secrets'::regclass AND NOT waits.granted
             AND holds.relation = 'webhook_deliveries'::regclass AND holds.mode = 'RowExclusiveLock'`,
        );
        expect(rows).toHaveLength(1);
      },
      { intervalMs: 5 },
    );
    held.child.kill('SIGSTOP');
    await client.query('COMMIT');
    await eventually(async () => {
      const { rows } = await client.query<{ claimed: boolean }>(
        'SELECT claimed_at IS NOT NULL AS claimed FROM webhook_deliveries WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ claimed: true }]);
    });
    const other = await start();
    await eventually(
      () => {
        expect(idsOf()).toEqual([id]);
      },
      { timeoutMs: LEASE_MS },
    );
    const ended = once(other.child, 'exit');
    other.child.kill('SIGTERM');
    await ended;
    // A later request shows that it has passed its claim.
    held.child.kill('SIGCONT');
    const { id: next } = await post<{ id: string }>(held.url, orgId, '/test', { label: 'x' });
    await eventually(() => {
      expect(idsOf()).toContain(next);
    });
    expect(idsOf()).toEqual([id, next]);
    const { rows } = await client.query<{ outcome: string }>(
      'SELECT outcome FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number',
      [id],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['interrupted', 'acknowledged']);
    const stopped = once(held.child, 'exit');
    held.child.kill('SIGKILL');
    await stopped;
  }, 120_000);

  it('logs no secret, and warns of the addresses that only development may call', async () => {
    const orgId = uuidv7();
    const { child, url } = await start();
    const { signing_secret, id } = await post<{ signing_secret: string; id: string }>(
      url,
      orgId,
      '',
      {
        url: `${target.url}/a-path-that-is-a-key`,
        label: 'x',
        event_types: ['WORKFLOW_COMPLETED'],
        auth_header: { name: 'x-key', value: 'open-sesame' },
      },
    );
    await post(url, orgId, '/test', { label: 'x' });
    await eventually(() => {
      expect(receivedAt('a-path-that-is-a-key')).toHaveLength(1);
      expect(printed).toContain(id);
    });
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    expect(printed).toContain('WEBHOOK_ALLOW_LOOPBACK is on');
    for (const secret of [signing_secret, 'open-sesame', 'a-path-that-is-a-key', 'whsec_']) {
      expect(printed).not.toContain(secret);
    }
  });
});
