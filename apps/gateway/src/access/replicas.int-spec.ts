import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import type { RunningService } from '@bascule/service-host';
import type { CreatedKeySet } from '../operator/key-management.service.js';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

let upstream: CapturingServer;
let fixture: GatewayFixture;
let replica: RunningService;
beforeAll(async () => {
  upstream = await startCapturingServer(() => ({ body: '{}' }));
  fixture = await startGateway(upstream.url);
  replica = await fixture.replica();
});
afterAll(async () => {
  await replica.shutdown({ graceMs: 0, deadlineMs: 20_000 });
  await fixture.stop();
  await upstream.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const keySet = (
  label: string,
  organisationId = fixture.keys.organisationId,
): Promise<CreatedKeySet> =>
  fixture.manage((management) =>
    management.createKeys({
      organisationId,
      label,
      permissions: ['assets'],
      methods: [],
      expiresAt: null,
      rateLimit: null,
      clientRateLimit: null,
    }),
  );

describe('two replicas', () => {
  it('both refuse a revoked key, and one beyond its retirement, within five seconds', async () => {
    const revoked = await keySet('revoked at both');
    const rotated = await keySet('rotated at both');
    const statuses = async (...keys: string[]): Promise<number[]> => {
      const asked = [fixture.gateway.url, replica.url].flatMap((url) =>
        keys.map((key) => send(`${url}/assets`, { headers: bearer(key) })),
      );
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(await statuses(revoked.secret, rotated.secret)).toEqual([200, 200, 200, 200]);
    const successors = await fixture.manage(async (management) => {
      await management.revoke(revoked.keySetId);
      const times = { retiresAt: new Date(0), expiresAt: null };
      return management.rotate(rotated.keySetId, times);
    });
    const now = performance.now() + 5_000;
    jest.spyOn(performance, 'now').mockReturnValue(now);
    expect(await statuses(revoked.secret, rotated.secret)).toEqual([401, 401, 401, 401]);
    const created = successors.map(({ key }) => key);
    expect(await statuses(...created)).toEqual([200, 200, 200, 200]);
  });

  it('both apply new limits, methods and origins within five seconds', async () => {
    const organisationId = await fixture.manage((management) => management.createOrganisation('R'));
    const { secret, keySetId } = await keySet('changed', organisationId);
    const urls = [fixture.gateway.url, replica.url];
    const origin = 'https://shop.example';
    const selves = () =>
      Promise.all(
        urls.map((url) =>
          send(`${url}/orgs/keys/self`, { headers: { ...bearer(secret), origin } }),
        ),
      );
    expect((await selves()).map(({ status }) => status)).toEqual([200, 200]);
    await fixture.manage(async (management) => {
      await management.limit(keySetId, { rateLimit: 9 });
      await management.limitOrganisation(organisationId, 90);
      await management.enableMethods(keySetId, ['SWIFT']);
      await management.restrictOrigins(organisationId, [origin]);
    });
    const later = performance.now() + 5_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    const changed = {
      limits: { key: 9, organisation: 90 },
      onramp_methods: expect.arrayContaining(['SWIFT']),
      origins: [origin],
    };
    for (const { headers, body } of await selves()) {
      expect(headers.get('ratelimit-policy')).toBe('"key";q=9;w=60');
      expect(body).toMatchObject(changed);
    }
    await fixture.manage((management) => management.restrictOrigins(organisationId, []));
    jest.spyOn(performance, 'now').mockReturnValue(later + 5_000);
    expect((await selves()).map(({ status }) => status)).toEqual([403, 403]);
  });
});
