import { eventually, SecretDirectory, startCapturingServer, testRedis } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { ask, withGatewayBefore } from '../testing/gateway.fixture.js';

it('connects again with the new password of a replaced file', async () => {
  const redis = await testRedis();
  const upstream = await startCapturingServer(() => ({ body: '{}' }));
  const admin = new Redis(redis.url);
  const url = new URL(redis.url);
  const withPassword = (password: string): string =>
    Object.assign(new URL(url), { username: 'limits', password }).href;
  const allow = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'limits', ...rules);
  await allow('on', '>first', 'allkeys', 'allcommands');
  const mounted = new SecretDirectory({ REDIS_URL: withPassword('first') });
  const counters = () => admin.keys('bascule:rate:key:*');
  try {
    await withGatewayBefore(upstream.url, mounted.env, async (fixture) => {
      const countsTogether = () =>
        eventually(async () => {
          await ask(fixture);
          expect(await counters()).toHaveLength(1);
        });
      await countsTogether();
      await allow('>second');
      mounted.replace({ REDIS_URL: withPassword('second') });
      await eventually(async () => {
        const page = await (await fetch(`${fixture.gateway.operationsUrl}/metrics`)).text();
        expect(page).toContain('secret_reloads_total{variable="REDIS_URL",outcome="applied"} 1');
      });
      await allow('<first');
      await admin.call('CLIENT', 'KILL', 'USER', 'limits');
      await admin.del(await counters());
      await countsTogether();
    });
  } finally {
    admin.disconnect();
    mounted.remove();
    await upstream.stop();
    await redis.stop();
  }
});
