import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startCapturingServer, testCertificate, testRedis } from '@bascule/testing';
import type { CapturingServer, TestRedis } from '@bascule/testing';
import { Redis } from 'ioredis';
import { ask, send, withGatewayBefore } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

let upstream: CapturingServer;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
});
afterAll(() => upstream.stop());

let redis: TestRedis;
beforeEach(async () => {
  redis = await testRedis();
});
afterEach(() => redis.stop());

const withGateway = (
  env: Record<string, string>,
  work: (fixture: GatewayFixture) => Promise<void>,
) => withGatewayBefore(upstream.url, env, work);

/** Runs commands of another client. */
async function inRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis.url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** Counters of API keys. */
const counters = () => inRedis((client) => client.keys('bascule:rate:key:*'));

/** Waits for the connection: until then requests are counted locally. */
const countedTogether = (fixture: GatewayFixture) =>
  eventually(async () => {
    await ask(fixture);
    expect(await counters()).toHaveLength(1);
  });

const fallbacks = async ({ gateway }: GatewayFixture): Promise<number> => {
  const { body } = await send(`${gateway.operationsUrl}/metrics`);
  return Number(/gateway_rate_limit_fallbacks_total\S* (\d+)/.exec(String(body))?.[1]);
};

describe('the limit of several replicas', () => {
  it('is counted in Redis for all replicas', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_REQUESTS: '3' };
    await withGateway(env, async (fixture) => {
      await countedTogether(fixture);
      // While Redis is slow, the replica counts alone.
      await eventually(async () => {
        const [counter = ''] = await counters();
        await inRedis((client) => client.set(counter, '2', 'KEEPTTL'));
        const answers = [await ask(fixture), await ask(fixture)];
        expect(answers.map(({ status }) => status)).toEqual([200, 429]);
        expect(await inRedis((client) => client.get(counter))).toBe('3');
        expect(await inRedis((client) => client.ttl(counter))).toBeGreaterThan(0);
      });
    });
  });

  it.each(['hangs', 'is away'])('is split among replicas while Redis %s', async (trouble) => {
    if (trouble === 'hangs') redis.pause();
    else await redis.away();
    const env = { REDIS_URL: redis.url, RATE_LIMIT_REQUESTS: '4', RATE_LIMIT_REPLICAS: '2' };
    await withGateway(env, async (fixture) => {
      const answers = [await ask(fixture), await ask(fixture), await ask(fixture)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect((await send(`${fixture.gateway.operationsUrl}/health/ready`)).status).toBe(200);
      // The first use of the key is counted by its client, too.
      expect(await fallbacks(fixture)).toBe(4);
    });
  });

  it('continues locally while Redis is paused and is shared afterwards', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_REQUESTS: '1000' };
    await withGateway(env, async (fixture) => {
      await countedTogether(fixture);
      redis.pause();
      expect((await ask(fixture)).status).toBe(200);
      redis.resume();
      await eventually(async () => {
        const counted = await fallbacks(fixture);
        expect((await ask(fixture)).status).toBe(200);
        expect(await fallbacks(fixture)).toBe(counted);
      });
    });
  });

  it('refuses no request below the limit while Redis restarts under load', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_REQUESTS: '100000' };
    await withGateway(env, async (fixture) => {
      await countedTogether(fixture);
      let isOver = false;
      const statuses = new Set<number>();
      const load = Array.from({ length: 4 }, async () => {
        while (!isOver) statuses.add((await ask(fixture)).status);
      });
      await redis.away();
      await eventually(async () => expect(await fallbacks(fixture)).toBeGreaterThan(10));
      await redis.restart();
      // A restarted Redis is empty: the window starts again.
      await eventually(async () => expect(await counters()).toHaveLength(1));
      isOver = true;
      await Promise.all(load);
      expect([...statuses]).toEqual([200]);
    });
  });
});

describe('Redis over TLS', () => {
  it('is trusted by the authority in REDIS_TLS_CA', async () => {
    const env = { REDIS_URL: redis.tlsUrl, REDIS_TLS_CA: testCertificate.cert };
    await withGateway(env, async (fixture) => {
      await countedTogether(fixture);
      expect(await counters()).toHaveLength(1);
    });
  });

  it('is not used with an untrusted certificate; requests continue', async () => {
    await withGateway({ REDIS_URL: redis.tlsUrl }, async (fixture) => {
      await eventually(async () => {
        expect((await ask(fixture)).status).toBe(200);
        expect(await fallbacks(fixture)).toBeGreaterThanOrEqual(3);
      });
      expect(await inRedis((client) => client.keys('*'))).toEqual([]);
    });
  });
});
