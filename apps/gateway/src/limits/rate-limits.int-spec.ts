import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { hashOfKey, newApiKey } from '../callers/api-key.js';
import { ApiKeysRepository } from '../persistence/api-keys.repository.js';
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
    const env = { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_ORGANISATION_REQUESTS: '1000' };
    await withGateway(env, async (fixture) => {
      const { secret } = await fixture.manage((management) =>
        management.createKeys({
          organisationId: fixture.keys.organisationId,
          label: 'busy',
          permissions: ['assets'],
          methods: [],
          expiresAt: null,
          rateLimit: 100,
          clientRateLimit: null,
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
    await withGateway({ RATE_LIMIT_KEYLESS_REQUESTS: '3' }, async (fixture) => {
      const { url } = fixture.gateway;
      // The first use of a key counts as well: until then it is unknown.
      expect((await ask(fixture)).status).toBe(200);
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

/** Asks as a visitor of a page, behind one trusted proxy. */
const visit = ({ gateway, keys }: GatewayFixture, address: string) =>
  send(`${gateway.url}/assets`, {
    headers: { ...bearer(keys.publishable), 'x-forwarded-for': address },
  });

describe('visitors with one publishable key', () => {
  it('do not lock each other out: a flood of one leaves the others served', async () => {
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_CLIENT_REQUESTS: '3',
      RATE_LIMIT_REQUESTS: '10',
      RATE_LIMIT_ORGANISATION_REQUESTS: '12',
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    };
    await withGateway(env, async (fixture) => {
      const flood = await Promise.all(
        Array.from({ length: 50 }, () => visit(fixture, '198.51.100.7')),
      );
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(3);
      const refused = await visit(fixture, '198.51.100.7');
      expect([refused.status, refused.body]).toEqual([
        429,
        { errors: [{ kind: 'other', message: expect.stringContaining('this client') }] },
      ]);
      expect(refused.headers.get('ratelimit-policy')).toBe('"client";q=3;w=3600');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const other = await visit(fixture, '198.51.100.8');
      expect([other.status, other.headers.get('ratelimit')]).toEqual([
        200,
        expect.stringMatching(/^"client";r=2;/),
      ]);
    });
  });

  it('are told apart by the /64 of their IPv6 address', async () => {
    const env = { TRUSTED_HOPS: '1', RATE_LIMIT_CLIENT_REQUESTS: '1' };
    await withGateway(env, async (fixture) => {
      const statuses = [];
      for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1']) {
        statuses.push((await visit(fixture, address)).status);
      }
      expect(statuses).toEqual([200, 429, 200]);
    });
  });

  it('leave others their part of a key, by default too, from a /48 with 65,536 networks', async () => {
    // The default ratio of a client to a key to an organisation, 1:10:40.
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_CLIENT_REQUESTS: '20',
      RATE_LIMIT_REQUESTS: '200',
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    };
    await withGateway(env, async (fixture) => {
      const flood = await Promise.all(
        Array.from({ length: 250 }, (_, index) =>
          visit(fixture, `2001:db8:1:${(index % 125).toString(16)}::1`),
        ),
      );
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(20);
      expect((await visit(fixture, '2001:db8:2::1')).status).toBe(200);
      expect((await visit(fixture, '198.51.100.8')).status).toBe(200);
    });
  });

  it.each([
    ['keys', 40],
    ['organisations', 40],
  ])('leave others and secret keys their part of small limits of %s', async (limited, limit) => {
    const env = { TRUSTED_HOPS: '1', RATE_LIMIT_WINDOW_SECONDS: '3600' };
    await withGateway(env, async (fixture) => {
      const { organisationId } = fixture.keys;
      const { publishable, secret } = await fixture.manage(async (management) => {
        if (limited === 'organisations') await management.limitOrganisation(organisationId, limit);
        return management.createKeys({
          ...{ organisationId, label: 'small', permissions: ['assets'], methods: [] },
          ...{ expiresAt: null, clientRateLimit: null },
          rateLimit: limited === 'keys' ? limit : null,
        });
      });
      const keys = { ...fixture.keys, publishable, secret };
      const own = { ...fixture, keys };
      const flood = (address: string) =>
        Promise.all(Array.from({ length: limit + 10 }, () => visit(own, address)));
      const served = (answers: readonly { status: number }[]) =>
        answers.filter(({ status }) => status === 200).length;
      expect(served(await flood('198.51.100.7'))).toBe(5);
      expect(served(await flood('198.51.100.8'))).toBe(5);
      expect((await ask(own, secret)).status).toBe(200);
    });
  });

  it('are counted by organisation as well, so that several keys give one no more', async () => {
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_REQUESTS: '100',
      RATE_LIMIT_ORGANISATION_REQUESTS: '100',
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    };
    await withGateway(env, async (fixture) => {
      const { publishable } = await fixture.manage((management) =>
        management.createKeys({
          ...{ organisationId: fixture.keys.organisationId, label: 'another page' },
          ...{ permissions: ['assets'], methods: [], expiresAt: null },
          ...{ rateLimit: null, clientRateLimit: null },
        }),
      );
      const another = { ...fixture, keys: { ...fixture.keys, publishable } };
      const statuses = [];
      for (let each = 0; each < 6; each += 1) {
        statuses.push((await visit(fixture, '2001:db8:1:1::1')).status);
        statuses.push((await visit(another, '2001:db8:1:2::1')).status);
      }
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    });
  });

  it('together leave a tenth of the organisation to secret keys, however many there are', async () => {
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_REQUESTS: '100',
      RATE_LIMIT_ORGANISATION_REQUESTS: '20',
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    };
    await withGateway(env, async (fixture) => {
      const flood = await Promise.all(
        Array.from({ length: 40 }, (_, index) => visit(fixture, `198.51.100.${index}`)),
      );
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(18);
      const refused = await visit(fixture, '198.51.100.99');
      expect(refused.headers.get('ratelimit-policy')).toBe('"publishable_keys";q=18;w=3600');
      expect(refused.body).toEqual({
        errors: [{ kind: 'other', message: expect.stringContaining('publishable keys') }],
      });
      const secret = [await ask(fixture), await ask(fixture), await ask(fixture)];
      expect(secret.map(({ status }) => status)).toEqual([200, 200, 429]);
    });
  });

  it('have the limit of sixteen for all of a /48, with or without a key', async () => {
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_CLIENT_REQUESTS: '1',
      RATE_LIMIT_KEYLESS_REQUESTS: '1',
    };
    await withGateway(env, async (fixture) => {
      const inNetwork = (index: number) => `2001:db8:1:${index.toString(16)}::1`;
      const stranger = (address: string) =>
        send(`${fixture.gateway.url}/assets`, { headers: { 'x-forwarded-for': address } });
      // The first use of a key counts as one without a key.
      expect((await visit(fixture, '198.51.100.7')).status).toBe(200);
      for (const [asked, served] of [
        [visit, 200],
        [(_: GatewayFixture, address: string) => stranger(address), 401],
      ] as const) {
        const statuses = [];
        for (let index = 0; index < 17; index += 1) {
          statuses.push((await asked(fixture, inNetwork(index))).status);
        }
        expect(statuses).toEqual([...Array<number>(16).fill(served), 429]);
        expect((await asked(fixture, '2001:db8:2:1::1')).status).toBe(served);
      }
    });
  });

  it('can be given another limit per key set', async () => {
    const env = { RATE_LIMIT_CLIENT_REQUESTS: '1' };
    await withGateway(env, async (fixture) => {
      const { publishable } = await fixture.manage((management) =>
        management.createKeys({
          organisationId: fixture.keys.organisationId,
          label: 'server-side pages',
          permissions: ['assets'],
          methods: [],
          expiresAt: null,
          rateLimit: null,
          clientRateLimit: 7,
        }),
      );
      expect((await ask(fixture, publishable)).headers.get('ratelimit')).toMatch(/^"client";r=6;/);
      const secret = await ask(fixture);
      expect(secret.headers.get('ratelimit')).toMatch(/^"key";/);
    });
  });

  it('leave room for the secret key when they use up the publishable one', async () => {
    const env = { TRUSTED_HOPS: '1', RATE_LIMIT_REQUESTS: '2' };
    await withGateway(env, async (fixture) => {
      const statuses = [];
      for (let each = 0; each < 4; each += 1) {
        statuses.push((await visit(fixture, `198.51.100.${each}`)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 429]);
      expect((await ask(fixture)).status).toBe(200);
    });
  });
});

describe('the limit of an organisation', () => {
  it('holds for all of its keys together, and for no other organisation', async () => {
    const env = { RATE_LIMIT_REQUESTS: '100', RATE_LIMIT_ORGANISATION_REQUESTS: '2' };
    await withGateway(env, async (fixture) => {
      expect((await ask(fixture)).status).toBe(200);
      expect((await ask(fixture, fixture.keys.publishable)).status).toBe(200);
      const refused = await ask(fixture);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('ratelimit')).toMatch(/^"organisation";r=0;/);
      const secret = await fixture.manage(async (management) => {
        const organisationId = await management.createOrganisation('Neighbour');
        const { secret: created } = await management.createKeys({
          organisationId,
          label: 'server',
          permissions: ['assets'],
          methods: [],
          expiresAt: null,
          rateLimit: null,
          clientRateLimit: null,
        });
        await management.limitOrganisation(organisationId, 50);
        return created;
      });
      const neighbour = await ask(fixture, secret);
      expect([neighbour.status, neighbour.headers.get('ratelimit-policy')]).toEqual([
        200,
        '"organisation";q=50;w=60',
      ]);
    });
  });
});

describe('an expensive request', () => {
  it('costs its weight, and a refused one nothing', async () => {
    await withGateway({ RATE_LIMIT_REQUESTS: '7' }, async (fixture) => {
      const quote = () =>
        send(`${fixture.gateway.url}/payments/quotes`, {
          method: 'POST',
          headers: bearer(fixture.keys.secret),
        });
      expect((await quote()).headers.get('ratelimit')).toMatch(/^"key";r=2;/);
      const refused = await quote();
      expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
        429,
        expect.stringMatching(/^"key";r=2;/),
      ]);
      expect((await ask(fixture)).status).toBe(200);
    });
  });

  it('costs more with a large body, also of a provider', async () => {
    const env = { RATE_LIMIT_REQUESTS: '100', RATE_LIMIT_KEYLESS_REQUESTS: '100' };
    await withGateway(env, async (fixture) => {
      const post = (path: string, headers: Record<string, string>) =>
        send(`${fixture.gateway.url}${path}`, {
          method: 'POST',
          headers,
          body: Buffer.alloc(256 * 1024),
        });
      const quote = await post('/payments/quotes', bearer(fixture.keys.secret));
      expect(quote.headers.get('ratelimit')).toMatch(/^"key";r=31;/);
      const callbacks = [];
      for (let n = 0; n < 2; n += 1) callbacks.push(await post('/providers/bank/callbacks', {}));
      expect(callbacks.map(({ status }) => status)).toEqual([200, 429]);
    });
  });
});

describe('unknown keys', () => {
  it('reach the database only up to the limit of their client, and never displace known keys', async () => {
    const env = {
      TRUSTED_HOPS: '1',
      RATE_LIMIT_KEYLESS_REQUESTS: '20',
      // No window ends during the test.
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    };
    await withGateway(env, async (fixture) => {
      const from = (address: string, key: string) =>
        send(`${fixture.gateway.url}/assets`, {
          headers: { ...bearer(key), 'x-forwarded-for': address },
        });
      const { secret } = fixture.keys;
      expect((await from('198.51.100.7', secret)).status).toBe(200);
      const lookups = jest.spyOn(fixture.gateway.app.get(ApiKeysRepository), 'findUsable');
      const known = hashOfKey(secret);
      const statuses = new Map<number, number>();
      for (let round = 0; round < 20; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => from('198.51.100.7', newApiKey('secret'))),
        );
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect((await from('198.51.100.7', secret)).status).toBe(200);
      }
      expect(Object.fromEntries(statuses)).toEqual({ 401: 19, 429: 181 });
      const unknown = lookups.mock.calls.filter(([hash]) => hash !== known);
      expect(unknown).toHaveLength(19);
      expect((await from('198.51.100.8', newApiKey('secret'))).status).toBe(401);
    });
  });
});
