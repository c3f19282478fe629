import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { Upstream } from '../testing/stubbed-gateway.fixture.js';

/** Alone an organisation has six of eight connections, and one visitor has one. */
const LIMITS = { UPSTREAM_CONNECTIONS: '8', UPSTREAM_QUEUE: '8', UPSTREAM_QUEUE_MS: '60000' };
const FLOOD = 20;

const service = new Upstream();
let fixture: GatewayFixture;
let held: ServerResponse[] = [];

beforeAll(async () => {
  fixture = await startGateway(await service.listen(), { ...LIMITS, TRUSTED_HOPS: '1' });
});
afterEach(() => {
  service.handler = (_, response) => response.end('{}');
  for (const response of held) response.end('{}');
  held = [];
});
afterAll(async () => {
  await fixture.stop();
  await service.close();
});

const publishableKeyOf = (name: string): Promise<string> =>
  fixture.manage(async (management) => {
    const keys = await management.createKeys({
      organisationId: await management.createOrganisation(name),
      label: 'web',
      permissions: ['assets'],
      methods: [],
      expiresAt: null,
      rateLimit: null,
      clientRateLimit: null,
    });
    return keys.publishable;
  });

const ask = (key: string, address: string) =>
  send(`${fixture.gateway.url}/assets`, {
    headers: { ...bearer(key), 'x-forwarded-for': address },
  });

/** Sends requests, each from an address of its own unless one is given, that the service does not answer. */
function flood(key: string, address?: string): Promise<unknown> {
  service.handler = (_, response) => void held.push(response);
  return Promise.allSettled(
    Array.from({ length: FLOOD }, (_, n) => ask(key, address ?? `203.0.113.${n}`)),
  );
}

describe('strangers with publishable keys', () => {
  it('take no connection from a third organisation with those of two', async () => {
    const [first, second, third] = await Promise.all(['A', 'B', 'C'].map(publishableKeyOf));
    const floods = [flood(first ?? '')];
    await eventually(() => expect(held).toHaveLength(6));
    floods.push(flood(second ?? ''));
    await eventually(() => expect(held).toHaveLength(7));
    service.handler = (_, response) => response.end('{}');
    expect((await ask(third ?? '', '198.51.100.1')).status).toBe(200);
    for (const response of held) response.end('{}');
    await Promise.all(floods);
  });

  it('leave connections to the other visitors of their organisation', async () => {
    const key = await publishableKeyOf('D');
    const flooding = flood(key, '203.0.113.1');
    await eventually(() => expect(held).toHaveLength(1));
    service.handler = (_, response) => response.end('{}');
    expect((await ask(key, '198.51.100.1')).status).toBe(200);
    expect(held).toHaveLength(1);
    for (const response of held) response.end('{}');
    await flooding;
  });
});
