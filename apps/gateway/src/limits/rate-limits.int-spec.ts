import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { ask, bearer, send, withGatewayBefore } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

let upstream: CapturingServer;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
});
afterAll(() => upstream.stop());

const withGateway = (
  env: Record<string, string>,
  work: (fixture: GatewayFixture) => Promise<void>,
) => withGatewayBefore(upstream.url, env, work);

describe('the limit of an API key', () => {
  it('is in every response and returns 429 when used up', async () => {
    const env = { RATE_LIMIT_REQUESTS: '2', RATE_LIMIT_WINDOW_SECONDS: '30' };
    await withGateway(env, async (fixture) => {
      const first = await ask(fixture);
      expect(first.headers.get('ratelimit')).toMatch(/^"key";r=1;t=30$/);
      expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=30');
      expect((await ask(fixture)).status).toBe(200);
      const before = upstream.requests.length;
      const refused = await ask(fixture);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
      expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(upstream.requests).toHaveLength(before);
      expect((await ask(fixture, fixture.keys.publishable)).status).toBe(200);
    });
  });

  it('can be set per key set', async () => {
    await withGateway({ RATE_LIMIT_REQUESTS: '1' }, async (fixture) => {
      const { secret } = await fixture.manage((management) =>
        management.createKeys({
          organisationId: fixture.keys.organisationId,
          label: 'busy',
          permissions: ['assets'],
          methods: [],
          expiresAt: null,
          rateLimit: 100,
        }),
      );
      const statuses = [await ask(fixture, secret), await ask(fixture, secret)];
      expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
      expect(statuses[1]?.headers.get('ratelimit-policy')).toBe('"key";q=100;w=60');
    });
  });

  it('does not count requests without a key', async () => {
    await withGateway({ RATE_LIMIT_REQUESTS: '1' }, async (fixture) => {
      for (let each = 0; each < 3; each += 1) {
        const { status, headers } = await send(`${fixture.gateway.url}/assets`);
        expect([status, headers.get('ratelimit')]).toEqual([401, null]);
      }
      expect((await ask(fixture)).status).toBe(200);
    });
  });
});

describe('the limit of a client without a valid key', () => {
  const refusals: [
    string,
    (url: string, fixture: GatewayFixture) => Promise<{ status: number }>,
  ][] = [
    ['callbacks', (url) => send(`${url}/providers/any/callbacks`, { method: 'POST', body: '{}' })],
    ['links', (url) => send(`${url}/funding/0190b2c3-1111-7000-8000-000000000001?token=x`)],
    ['wrong keys', (url) => send(`${url}/assets`, { headers: bearer('sk_wrong') })],
  ];

  it.each(refusals)('applies to %s, and not to valid keys', async (_what, request) => {
    await withGateway({ RATE_LIMIT_KEYLESS_REQUESTS: '2' }, async (fixture) => {
      const { url } = fixture.gateway;
      await request(url, fixture);
      await request(url, fixture);
      const before = upstream.requests.length;
      const refused = await send(`${url}/providers/another/callbacks`, { method: 'POST' });
      expect([(await request(url, fixture)).status, refused.status]).toEqual([429, 429]);
      expect(refused.headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d+$/);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(upstream.requests).toHaveLength(before);
      expect((await ask(fixture)).status).toBe(200);
    });
  });

  it('is counted by connection when no trusted proxy sends the client address', async () => {
    const env = { RATE_LIMIT_KEYLESS_REQUESTS: '1', TRUSTED_HOPS: '1' };
    await withGateway(env, async ({ gateway }) => {
      const from = async (forwarded: string) =>
        (await send(`${gateway.url}/assets`, { headers: { 'x-forwarded-for': forwarded } })).status;
      expect([await from('198.51.100.7'), await from('198.51.100.7')]).toEqual([401, 429]);
      expect([await from('unknown'), await from('999.1.1.1')]).toEqual([401, 429]);
    });
  });
});
