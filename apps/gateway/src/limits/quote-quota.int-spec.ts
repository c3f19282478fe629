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

const askQuote = ({ gateway, keys }: GatewayFixture, key = keys.secret) =>
  send(gateway.url + ENDPOINT, { method: 'POST', body: '{}', headers: bearer(key) });

/** Answers to a burst that holds a refusal; a burst may be spread over seconds. */
const burst = (fixture: GatewayFixture) =>
  eventually(async () => {
    const before = upstream.requests.length;
    const answers = await Promise.all(Array.from({ length: BURST }, () => askQuote(fixture)));
    const statuses = answers.map(({ status }) => status);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(BURST - accepted);
    expect(upstream.requests.length - before).toBe(accepted);
    expect(accepted).toBeLessThan(BURST);
    return answers;
  });

const refusedBy = async (fixture: GatewayFixture, quota: number) => {
  const refused = (await burst(fixture)).find(({ status }) => status === 429);
  expect(refused?.body).toEqual({
    errors: [
      {
        kind: 'other',
        message: `The organisation has used up its quota of ${quota} quotes per second. Try again when the next second begins.`,
      },
    ],
  });
  return refused;
};

describe('the quota of quotes per second', () => {
  it('refuses with what to wait for, before the service, and counts refusals', async () => {
    await withGatewayBefore(upstream.url, { MAX_QUOTES_PER_SECOND: '2' }, async (fixture) => {
      const refused = await refusedBy(fixture, 2);
      expect(refused?.headers.get('retry-after')).toBe('1');
      expect(refused?.headers.get('ratelimit-policy')).toBe('"quotes";q=2;w=1');
      const { body } = await send(`${fixture.gateway.url}/metrics`);
      expect(body).toMatch(/quota_refusals_total\{quota="quotes_per_second"[^}]*\} [1-9]/);
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
          expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
        });
      });
    } finally {
      await redis.stop();
    }
  });
});
