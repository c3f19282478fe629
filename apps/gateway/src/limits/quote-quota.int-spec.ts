import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startCapturingServer, testRedis } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { ask, bearer, send, withGatewayBefore } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

let upstream: CapturingServer;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
});
afterAll(() => upstream.stop());

const ENDPOINT = '/payments/quotes';
/** Enough to exceed a small quota however a burst falls into seconds. */
const BURST = 20;

const askQuote = (
  { gateway, keys }: GatewayFixture,
  key = keys.secret,
  headers: Record<string, string> = {},
) =>
  send(gateway.url + ENDPOINT, {
    method: 'POST',
    body: '{}',
    headers: { ...bearer(key), ...headers },
  });
/** Asks with the publishable key, from an address that the trusted proxy names. */
const visit = (fixture: GatewayFixture, address: string) =>
  askQuote(fixture, fixture.keys.publishable, { 'x-forwarded-for': address });
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const refusal = (who: string) => ({
  errors: [
    { kind: 'other', message: `${who} quotes per second. Try again when the next second begins.` },
  ],
});

/** Answers to a burst that holds a refusal; a burst may be spread over seconds. */
const burst = (fixture: GatewayFixture) =>
  eventually(async () => {
    const before = upstream.requests.length;
    const answers = await Promise.all(Array.from({ length: BURST }, () => askQuote(fixture)));
    const statuses = statusesOf(answers);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(BURST - accepted);
    expect(upstream.requests.length - before).toBe(accepted);
    expect(accepted).toBeLessThan(BURST);
    return answers;
  });

const refusedBy = async (fixture: GatewayFixture, quota: number) => {
  const refused = (await burst(fixture)).find(({ status }) => status === 429);
  expect(refused?.body).toEqual(refusal(`The organisation has used up its quota of ${quota}`));
  return refused;
};

describe('the quota of quotes per second', () => {
  it('refuses with what to wait for, before the service, and counts refusals', async () => {
    await withGatewayBefore(upstream.url, { MAX_QUOTES_PER_SECOND: '2' }, async (fixture) => {
      const refused = await refusedBy(fixture, 2);
      expect(refused?.headers.get('retry-after')).toBe('1');
      expect(refused?.headers.get('ratelimit-policy')).toBe('"quotes";q=2;w=1');
      const { body } = await send(`${fixture.gateway.operationsUrl}/metrics`);
      expect(body).toMatch(
        /quota_refusals_total\{quota="quotes_per_second",holder="all"[^}]*\} [1-9]/,
      );
      await eventually(async () => expect((await askQuote(fixture)).status).toBe(200));
    });
  });

  it('leaves other endpoints and organisations alone', async () => {
    await withGatewayBefore(upstream.url, { MAX_QUOTES_PER_SECOND: '1' }, async (fixture) => {
      const other = await fixture.manage(async (management) => {
        const organisationId = await management.createOrganisation('Other');
        return management.createKeys({
          organisationId,
          label: 'other',
          permissions: ['quotes'],
          methods: [],
          expiresAt: null,
          rateLimit: null,
          clientRateLimit: null,
        });
      });
      await burst(fixture);
      expect((await ask(fixture)).status).toBe(200);
      expect((await askQuote(fixture, other.secret)).status).toBe(200);
    });
  });

  it('is not used up by one visitor: another one and the secret key are served meanwhile', async () => {
    const env = { MAX_QUOTES_PER_SECOND: '200', TRUSTED_HOPS: '1' };
    await withGatewayBefore(upstream.url, env, async (fixture) => {
      let visitors = 0;
      // A burst may be spread over seconds, so each has visitors of its own.
      await eventually(async () => {
        visitors += 1;
        const flood = Array.from({ length: 60 }, (_, index) =>
          visit(fixture, `2001:db8:${visitors}:${index}::1`),
        );
        const [other, secret, ...flooding] = await Promise.all([
          visit(fixture, `203.0.113.${visitors}`),
          askQuote(fixture),
          ...flood,
        ]);
        expect(statusesOf([other, secret])).toEqual([200, 200]);
        const refused = flooding.find(({ status }) => status === 429);
        expect(refused?.body).toEqual(
          refusal("This client has used up its 20 of the organisation's 200"),
        );
        expect(refused?.headers.get('retry-after')).toBe('1');
        expect(refused?.headers.get('ratelimit-policy')).toBe('"quotes";q=20;w=1');
      });
    });
  });

  it('leaves a part to secret keys, however many visitors ask', async () => {
    const env = { MAX_QUOTES_PER_SECOND: '20', TRUSTED_HOPS: '1' };
    await withGatewayBefore(upstream.url, env, async (fixture) => {
      await eventually(async () => {
        const [secret, ...visitors] = await Promise.all([
          askQuote(fixture),
          ...Array.from({ length: 40 }, (_, index) => visit(fixture, `198.51.100.${index}`)),
        ]);
        expect(secret.status).toBe(200);
        const bodies = visitors.filter(({ status }) => status === 429).map(({ body }) => body);
        expect(bodies).toContainEqual(
          refusal("Publishable keys have used up their 18 of the organisation's 20"),
        );
      });
    });
  });

  it('is not used up by keys without the permission', async () => {
    await withGatewayBefore(upstream.url, { MAX_QUOTES_PER_SECOND: '1' }, async (fixture) => {
      const { secret } = await fixture.manage((management) =>
        management.createKeys({
          ...{ organisationId: fixture.keys.organisationId, label: 'reader' },
          ...{ permissions: ['assets'], methods: [], expiresAt: null },
          ...{ rateLimit: null, clientRateLimit: null },
        }),
      );
      const asked = Array.from({ length: BURST }, () => askQuote(fixture, secret));
      // The service refuses them; here it stands for any answer of its.
      expect(new Set(statusesOf(await Promise.all(asked)))).toEqual(new Set([200]));
    });
  });

  it('is what an operator set, within the lifetime of a cached key', async () => {
    await withGatewayBefore(upstream.url, { MAX_QUOTES_PER_SECOND: '10000' }, async (fixture) => {
      expect((await askQuote(fixture)).status).toBe(200);
      await fixture.configure((settings) =>
        settings.setQuotas(fixture.keys.organisationId, { quotes_per_second: 3 }),
      );
      await refusedBy(fixture, 3);
    });
  });

  it('is counted over all replicas and keys of an organisation', async () => {
    const redis = await testRedis();
    const env = { REDIS_URL: redis.url, MAX_QUOTES_PER_SECOND: '2', RATE_LIMIT_REPLICAS: '2' };
    try {
      await withGatewayBefore(upstream.url, env, async (fixture) => {
        // Counted alone, a replica allows its share of one.
        await eventually(async () => {
          const { publishable, secret } = fixture.keys;
          const answers = await Promise.all([
            ...[askQuote(fixture, secret), askQuote(fixture, publishable)],
            askQuote(fixture, secret),
          ]);
          expect(statusesOf(answers).sort()).toEqual([200, 200, 429]);
        });
      });
    } finally {
      await redis.stop();
    }
  });
});
