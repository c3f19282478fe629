import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { InternalTokenVerifier } from '@bascule/identity';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { bearer, publicKeysOf, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { eventually } from '@bascule/testing';
import { newApiKey } from '../callers/api-key.js';
import { KEY_TTL_MS } from './api-keys.service.js';

let upstream: CapturingServer;
let fixture: GatewayFixture;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
  fixture = await startGateway(upstream.url);
});
afterAll(async () => {
  await fixture.stop();
  await upstream.stop();
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Moves the clock of the key cache beyond the lifetime of its entries. */
function expireCachedKeys(): void {
  const now = performance.now() + KEY_TTL_MS + 2;
  jest.spyOn(performance, 'now').mockReturnValue(now);
}

const request = (path: string, init: RequestInit = {}) => send(fixture.gateway.url + path, init);
const withKey = (key: string, path = '/assets', headers: Record<string, string> = {}) =>
  request(path, { headers: { ...bearer(key), ...headers } });
const unauthorised = { errors: [{ kind: 'other', message: expect.any(String) }] };

async function callerOfLastRequest() {
  const token = upstream.requests.at(-1)?.headers['x-internal-token'];
  const verifier = new InternalTokenVerifier(publicKeysOf(fixture.internalTokenKey));
  return { token: String(token), caller: await verifier.verify(String(token)) };
}

const anotherKeySet = (label: string, expiresAt: Date | null = null) =>
  fixture.manage((management) =>
    management.createKeys({
      organisationId: fixture.keys.organisationId,
      label,
      permissions: ['assets'],
      methods: [],
      expiresAt,
      rateLimit: null,
      clientRateLimit: null,
    }),
  );

describe('an API key', () => {
  it.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['empty', { authorization: '' }],
    ['of another scheme', { authorization: 'Basic c2s6' }],
    ['malformed', bearer('sk_short')],
    ['unknown', bearer(newApiKey('secret'))],
  ])('returns 401 without forwarding when it is %s', async (_, headers) => {
    const before = upstream.requests.length;
    const { status, body, headers: answered } = await request('/assets', { headers });
    expect([status, body]).toEqual([401, unauthorised]);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    expect(answered.get('x-request-id')).toBeTruthy();
    expect(upstream.requests).toHaveLength(before);
  });

  it('reaches the service as its organisation, kind and permissions', async () => {
    await withKey(fixture.keys.secret);
    expect((await callerOfLastRequest()).caller).toMatchObject({
      orgId: fixture.keys.organisationId,
      kind: 'secret',
      permissions: ['assets', 'quotes', 'payments:read', 'payments:write', 'balances', 'webhooks'],
    });
    const poor = await anotherKeySet('poor');
    await withKey(poor.publishable);
    expect((await callerOfLastRequest()).caller).toMatchObject({
      kind: 'publishable',
      permissions: ['assets'],
    });
  });

  it('carries the payment methods that an operator enables, within seconds', async () => {
    const { secret, keySetId } = await anotherKeySet('swift');
    const methods = async () => {
      await withKey(secret);
      return (await callerOfLastRequest()).caller.methods;
    };
    expect(await methods()).toBeUndefined();
    await fixture.manage((management) => management.enableMethods(keySetId, ['SWIFT']));
    await eventually(async () => expect(await methods()).toEqual(['SWIFT']));
    await fixture.manage((management) => management.enableMethods(keySetId, []));
    await eventually(async () => expect(await methods()).toBeUndefined());
  });

  it('is not forwarded itself', async () => {
    await withKey(fixture.keys.secret);
    expect(JSON.stringify(upstream.requests.at(-1)?.headers)).not.toContain(fixture.keys.secret);
  });

  it('reuses its internal token and does not share it with other keys', async () => {
    await withKey(fixture.keys.secret);
    const first = await callerOfLastRequest();
    await withKey(fixture.keys.secret);
    expect((await callerOfLastRequest()).token).toBe(first.token);
    await withKey(fixture.keys.publishable);
    expect((await callerOfLastRequest()).token).not.toBe(first.token);
  });

  it('is looked up once while its result is cached, valid or not', async () => {
    const lookups = jest.spyOn(fixture.gateway.app.get(ApiKeysRepository), 'findUsable');
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { secret } = await anotherKeySet('cached');
    const unknown = newApiKey('secret');
    await Promise.all(Array.from({ length: 20 }, () => withKey(secret)));
    await withKey(unknown);
    await withKey(unknown);
    expect(lookups).toHaveBeenCalledTimes(2);
  });

  it('is refused after its revocation once its cached entry expires', async () => {
    const { secret, publishable, keySetId } = await anotherKeySet('revoked');
    expect((await withKey(secret)).status).toBe(200);
    expect((await withKey(publishable)).status).toBe(200);
    await fixture.manage((management) => management.revoke(keySetId));
    expireCachedKeys();
    expect(await withKey(secret)).toMatchObject({ status: 401, body: unauthorised });
    expect((await withKey(publishable)).status).toBe(401);
  });

  it('is refused after its expiry once its cached entry expires', async () => {
    const { secret, keySetId } = await anotherKeySet('expiring', new Date(Date.now() + 3_600_000));
    expect((await withKey(secret)).status).toBe(200);
    await fixture.gateway.app
      .get(DataSource)
      .query('UPDATE api_keys SET expires_at = now() WHERE key_set_id = $1', [keySetId]);
    expireCachedKeys();
    expect((await withKey(secret)).status).toBe(401);
  });

  it('is stored only as an indexed hash', async () => {
    const dataSource = fixture.gateway.app.get(DataSource);
    const tables = ['organisations', 'key_sets', 'api_keys', 'audit_log'];
    const rows = await Promise.all(
      tables.map((table) => dataSource.query(`SELECT * FROM ${table}`)),
    );
    const everything = JSON.stringify(rows);
    for (const key of [fixture.keys.secret, fixture.keys.publishable]) {
      expect(everything).not.toContain(key.slice(3));
    }
    await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      const plan: unknown = await manager.query(
        `EXPLAIN SELECT id FROM api_keys WHERE hash = '\\x00'`,
      );
      expect(JSON.stringify(plan)).toContain('api_keys_hash');
    });
  });
});

describe('GET /orgs/keys/self', () => {
  it('tells a publishable key of no permission that only a secret key can use', async () => {
    const permissionsOf = async (key: string) =>
      ((await withKey(key, '/orgs/keys/self')).body as { permissions: string[] }).permissions;
    const all = await permissionsOf(fixture.keys.secret);
    expect(all).toContain('webhooks');
    expect(await permissionsOf(fixture.keys.publishable)).toEqual(
      all.filter((permission) => permission !== 'webhooks'),
    );
  });

  it('tells a key what it may do, and no hash', async () => {
    const organisationId = await fixture.manage((management) => management.createOrganisation('D'));
    const { publishable, secret } = await fixture.manage(async (management) => {
      await management.restrictOrigins(organisationId, ['https://shop.example']);
      await management.limitOrganisation(organisationId, 500);
      return management.createKeys({
        organisationId,
        label: 'described',
        permissions: ['assets', 'quotes'],
        methods: ['SWIFT'],
        expiresAt: new Date('2999-01-01'),
        rateLimit: 50,
        clientRateLimit: 7,
      });
    });
    const described = {
      key_id: expect.any(String),
      org_id: organisationId,
      label: 'described',
      kind: 'publishable',
      mode: 'live',
      test_mode: false,
      permissions: ['assets', 'quotes'],
      onramp_methods: expect.arrayContaining(['CREDIT_CARD', 'SWIFT']),
      origins: ['https://shop.example'],
      expires_at: '2999-01-01T00:00:00.000Z',
      limits: { window_seconds: 60, client: 7, key: 50, publishable_keys: 450, organisation: 500 },
    };
    const before = upstream.requests.length;
    const answer = await withKey(publishable, '/orgs/keys/self');
    expect([answer.status, answer.body]).toEqual([200, described]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { client: _client, publishable_keys: _shared, ...limits } = described.limits;
    expect((await withKey(secret, '/orgs/keys/self')).body).toEqual({
      ...described,
      kind: 'secret',
      limits,
    });
    expect(upstream.requests).toHaveLength(before);
  });

  it('lists no method that is not enabled, and needs no permission but a key and its origin', async () => {
    const { publishable } = await anotherKeySet('plain');
    const { body } = await withKey(publishable, '/orgs/keys/self');
    expect(body).toMatchObject({ origins: null, expires_at: null, permissions: ['assets'] });
    expect(JSON.stringify(body)).not.toContain('SWIFT');
    expect((await request('/orgs/keys/self')).status).toBe(401);
    const head = { method: 'HEAD', headers: bearer(publishable) };
    expect(await request('/orgs/keys/self', head)).toMatchObject({ status: 200, body: '' });
    const post = await request('/orgs/keys/self', { method: 'POST', headers: bearer(publishable) });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a publishable key', () => {
  it('is accepted everywhere except on webhooks', async () => {
    expect((await withKey(fixture.keys.publishable)).status).toBe(200);
    for (const method of ['GET', 'POST', 'DELETE']) {
      const headers = bearer(fixture.keys.publishable);
      const { status, body } = await request('/orgs/webhooks', { method, headers });
      expect([status, body]).toEqual([403, unauthorised]);
    }
    expect((await withKey(fixture.keys.secret, '/orgs/webhooks')).status).toBe(200);
  });

  it('is accepted only from the allowed origins of its organisation', async () => {
    const organisationId = await fixture.manage((management) => management.createOrganisation('B'));
    await fixture.manage((management) =>
      management.restrictOrigins(organisationId, ['https://shop.example']),
    );
    const { publishable } = await fixture.manage((management) =>
      management.createKeys({
        organisationId,
        label: 'web',
        permissions: ['assets'],
        methods: [],
        expiresAt: null,
        rateLimit: null,
        clientRateLimit: null,
      }),
    );
    const from = async (origin: string) =>
      (await withKey(publishable, '/assets', { origin })).status;
    expect(await from('https://shop.example')).toBe(200);
    expect(await from('https://evil.example')).toBe(403);
    expect((await withKey(publishable)).status).toBe(200);
  });
});

describe('client-supplied headers', () => {
  it('are not trusted', async () => {
    await withKey(fixture.keys.secret, '/assets', {
      'x-internal-token': 'forged',
      'x-client-ip': '1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=1.2.3.4',
      'x-hop': '1',
    });
    const headers = upstream.requests.at(-1)?.headers ?? {};
    expect(headers['x-client-ip']).toBe('127.0.0.1');
    expect(headers['x-internal-token']).not.toBe('forged');
    expect(Object.keys(headers).filter((name) => name.includes('forwarded'))).toEqual([]);
  });

  it('set the client address only through trusted proxies', async () => {
    const behindProxies = await startGateway(upstream.url, { TRUSTED_HOPS: '1' });
    const { url, context } = behindProxies.gateway;
    const clientIpFor = async (headers: Record<string, string>) => {
      const key = bearer(behindProxies.keys.secret);
      await send(`${url}/assets`, { headers: { ...key, ...headers } });
      return upstream.requests.at(-1)?.headers['x-client-ip'];
    };
    try {
      const header = '1.2.3.4, 198.51.100.7';
      expect(await clientIpFor({ 'x-forwarded-for': header })).toBe('198.51.100.7');
      expect(await context.metrics.metrics()).toContain('gateway_clients_without_address_total 0');
      expect(await clientIpFor({ 'x-client-ip': '1.2.3.4' })).toBeUndefined();
      expect(await clientIpFor({ 'x-forwarded-for': '1.2.3.4, unknown' })).toBeUndefined();
      expect(await context.metrics.metrics()).toContain('gateway_clients_without_address_total 2');
    } finally {
      await behindProxies.stop();
    }
  });

  it('make one visitor of all whom the trusted proxies do not name', async () => {
    const behindProxies = await startGateway(upstream.url, { TRUSTED_HOPS: '1' });
    const { url } = behindProxies.gateway;
    const visitorFor = async (forwarded: Record<string, string>) => {
      const key = bearer(behindProxies.keys.publishable);
      const { headers } = await send(`${url}/assets`, { headers: { ...key, ...forwarded } });
      return [upstream.requests.at(-1)?.headers['x-visitor'], headers.get('ratelimit')];
    };
    try {
      const [unnamed, first] = await visitorFor({});
      expect(first).toMatch(/^"client";r=2999;/);
      const [other, second] = await visitorFor({ 'x-forwarded-for': 'unknown' });
      expect([other, second]).toEqual([unnamed, expect.stringMatching(/^"client";r=2998;/)]);
      const [named, third] = await visitorFor({ 'x-forwarded-for': '198.51.100.7' });
      expect(named).not.toBe(unnamed);
      expect(third).toMatch(/^"client";r=2999;/);
    } finally {
      await behindProxies.stop();
    }
  });
});

describe('the alerts', () => {
  it('are on counters of the gateway that exist from the start', async () => {
    const rules = readFileSync(resolve('apps/gateway/alerts.yaml'), 'utf8');
    const names = [...rules.matchAll(/expr: .*?(gateway_\w+)/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    expect(names).toContain('gateway_clients_without_address_total');
    const metrics = await fixture.gateway.context.metrics.metrics();
    for (const name of names) expect(metrics).toContain(`\n${name} `);
  });
});

describe('the gateway without its database', () => {
  it('returns 503 for every request and is not ready', async () => {
    const orphan = await startGateway(upstream.url);
    await orphan.database.drop();
    const before = upstream.requests.length;
    try {
      const { status, body } = await send(`${orphan.gateway.url}/assets`, {
        headers: bearer(orphan.keys.secret),
      });
      expect(status).toBe(503);
      expect(body).toEqual({
        errors: [{ kind: 'unknown', message: 'API keys cannot be checked now.' }],
      });
      expect(upstream.requests).toHaveLength(before);
      expect((await send(`${orphan.gateway.operationsUrl}/health/ready`)).status).toBe(503);
      expect((await send(`${orphan.gateway.operationsUrl}/health/live`)).status).toBe(200);
    } finally {
      await orphan.stop();
    }
  });
});
