import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InternalTokenVerifier } from '@bascule/identity';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { aKey, bearer, publicKeysOf, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';

const PAYMENT = '0190b2c3-1111-7000-8000-000000000001';

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

const request = (path: string, init: RequestInit = {}) => send(fixture.gateway.url + path, init);
const withKey = (path: string) => request(path, { headers: bearer(fixture.keys.secret) });
const unauthorised = { errors: [{ kind: 'other', message: expect.any(String) }] };

function callerOfLastRequest() {
  const verifier = new InternalTokenVerifier(publicKeysOf(fixture.internalTokenKey));
  return verifier.verify(String(upstream.requests.at(-1)?.headers['x-internal-token']));
}

describe("a payment's link", () => {
  const claims = () => ({ payment_id: PAYMENT, org_id: fixture.keys.organisationId });
  const open = (query: string) => request(`/funding/${PAYMENT}${query}`, { redirect: 'manual' });

  it('reaches the payment service for that payment, without the credential', async () => {
    const token = await fixture.fundingToken(claims());
    expect((await open(`?lang=en&token=${token}`)).status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe(`/funding/${PAYMENT}?lang=en`);
    expect(await callerOfLastRequest()).toEqual({
      orgId: fixture.keys.organisationId,
      keyId: '',
      kind: 'funding',
      permissions: [],
      paymentId: PAYMENT,
    });
  });

  it('is refused with the token of another payment', async () => {
    const before = upstream.requests.length;
    const expired = Math.floor(Date.now() / 1_000) - 60;
    const tokens = [
      await fixture.fundingToken({ ...claims(), payment_id: PAYMENT.replace('1111', '2222') }),
      await fixture.fundingToken(claims(), await aKey('payment-1')),
      await fixture.fundingToken({ ...claims(), aud: 'services' }),
      await fixture.fundingToken({ ...claims(), iss: 'gateway' }),
      await fixture.fundingToken({ ...claims(), exp: expired }),
      await fixture.fundingToken({ payment_id: PAYMENT }),
      'nonsense',
    ];
    for (const query of ['', ...tokens.map((token) => `?token=${token}`)]) {
      const { status, body } = await open(query);
      expect([query, status, body]).toEqual([query, 401, unauthorised]);
    }
    expect(upstream.requests).toHaveLength(before);
  });

  it('does not accept an API key, and its token does not replace one', async () => {
    expect((await withKey(`/funding/${PAYMENT}`)).status).toBe(401);
    const token = await fixture.fundingToken(claims());
    expect((await request(`/payments?payment_id=${PAYMENT}&token=${token}`)).status).toBe(401);
  });
});

describe("a payment's link back from its checkout", () => {
  const claims = () => ({ payment_id: PAYMENT, org_id: fixture.keys.organisationId });
  const open = (path: string, token: string) =>
    request(`/funding/${PAYMENT}${path}?token=${token}`, { redirect: 'manual' });

  it('reaches the payment service as a caller of its own kind', async () => {
    const token = await fixture.fundingToken({ ...claims(), aud: 'return' });
    expect((await open('/return', token)).status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe(`/funding/${PAYMENT}/return`);
    expect(await callerOfLastRequest()).toMatchObject({ kind: 'return', paymentId: PAYMENT });
  });

  it('does not reopen the checkout, whose link does not return either', async () => {
    const before = upstream.requests.length;
    const token = await fixture.fundingToken({ ...claims(), aud: 'return' });
    expect((await open('', token)).status).toBe(401);
    expect((await open('/return', await fixture.fundingToken(claims()))).status).toBe(401);
    expect(upstream.requests).toHaveLength(before);
  });
});

describe("a provider's callback", () => {
  it('is forwarded unchanged without a key, with the name of the provider', async () => {
    const bytes = Buffer.from('{ "order" : 1,\n"caf\u00e9": true }\u0000', 'latin1');
    const { status } = await request('/providers/SwiftRamp/callbacks?attempt=2', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': 'abc' },
      body: bytes,
    });
    expect(status).toBe(200);
    const received = upstream.requests.at(-1);
    expect(received?.body.equals(bytes)).toBe(true);
    expect(received?.headers).toMatchObject({
      'x-signature': 'abc',
      'content-type': 'application/json',
    });
    expect(await callerOfLastRequest()).toEqual({
      orgId: '',
      keyId: '',
      kind: 'provider',
      permissions: [],
      provider: 'swiftramp',
    });
  });

  it('returns 404 for an impossible provider name', async () => {
    const init = { method: 'POST', body: '{}' };
    expect((await request('/providers/a%2Fb/callbacks', init)).status).toBe(404);
    expect((await request('/providers/-x-/callbacks', init)).status).toBe(404);
    expect((await request(`/providers/${'x'.repeat(33)}/callbacks`, init)).status).toBe(404);
  });
});
