import { gzipSync } from 'node:zlib';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../testing/gateway.fixture.js';
import { StubbedGateway } from '../testing/stubbed-gateway.fixture.js';

const gateway = new StubbedGateway();
/** A gateway whose cached responses outlive the tests. */
const longCaching = new StubbedGateway(
  { ANSWERS_KEPT_MS: '600000', TRUSTED_HOPS: '1' },
  gateway.services,
);
const { catalogue } = gateway.services;
beforeAll(async () => {
  await gateway.open();
  await longCaching.open();
});
afterEach(() => {
  gateway.reset();
});
afterAll(async () => {
  await longCaching.close();
  await gateway.close();
});

const TAG = '"abc"';
const ORIGIN = 'https://shop.example';
const CACHEABLE = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=5',
  vary: 'Accept-Encoding',
  etag: TAG,
};

describe('a cacheable response', () => {
  it('keeps its ETag and encoding, and varies by key and origin', async () => {
    const packed = gzipSync('{"usd":{}}');
    catalogue.handler = (_, response) =>
      response.writeHead(200, { ...CACHEABLE, 'content-encoding': 'gzip' }).end(packed);
    const accepting = { 'accept-encoding': 'gzip', origin: ORIGIN };
    const { status, headers, body } = await gateway.call('/assets', { headers: accepting });
    expect([status, body]).toEqual([200, { usd: {} }]);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: TAG,
      'cache-control': CACHEABLE['cache-control'],
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding, Authorization, Origin',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('etag, idempotency-replayed'),
    });
    expect(catalogue.received.at(-1)?.headers['accept-encoding']).toBe('gzip');
  });

  it('returns 304 for a matching ETag', async () => {
    catalogue.handler = ({ headers }, response) =>
      headers['if-none-match'] === TAG
        ? response.writeHead(304, CACHEABLE).end()
        : response.writeHead(200, CACHEABLE).end('{}');
    const known = { 'if-none-match': TAG };
    const { status, headers, body } = await gateway.call('/assets', { headers: known });
    expect([status, body]).toEqual([304, '']);
    expect(headers.get('etag')).toBe(TAG);
    expect(headers.get('vary')).toBe('Accept-Encoding, Authorization, Origin');
    // A 304 has no body to cache.
    expect((await gateway.call('/assets')).status).toBe(200);
  });
});

describe('a cached response', () => {
  let served = 0;
  const answering = (more: Record<string, string> = {}) => {
    catalogue.handler = (_, response) => {
      served += 1;
      const body = `{"n":${served}}`;
      const own = { etag: `"${served}"`, 'content-length': String(body.length) };
      response.writeHead(200, { ...CACHEABLE, ...more, ...own }).end(body);
    };
  };
  const ask = (path: string, headers: Record<string, string> = {}) =>
    longCaching.call(path, { headers });

  it('is returned to the same key, or 304, without a call to the service', async () => {
    answering();
    const { body, headers } = await ask('/assets?kept');
    const before = catalogue.received.length;
    const again = await ask('/assets?kept');
    expect([again.status, again.body]).toEqual([200, body]);
    for (const name of ['etag', 'cache-control', 'vary', 'content-type']) {
      expect([name, again.headers.get(name)]).toEqual([name, headers.get(name)]);
    }
    expect(again.headers.get('x-request-id')).not.toBe(headers.get('x-request-id'));
    // Matches a browser's revalidation; `fetch` with a tag adds `no-cache`.
    const tagged = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const known = await ask('/assets?kept', tagged);
    expect([known.status, known.body]).toEqual([304, '']);
    expect(known.headers.get('etag')).toBe(headers.get('etag'));
    expect(catalogue.received).toHaveLength(before);
  });

  it('is not used for another request, encoding or key, or with no-cache', async () => {
    answering();
    const { body } = await ask('/assets?mine');
    for (const other of [
      () => ask('/assets?other'),
      () => ask('/assets?mine', { 'accept-encoding': 'br' }),
      () => ask('/assets?mine', longCaching.publishableKey),
      () => ask('/assets?mine', { 'cache-control': 'no-cache' }),
    ]) {
      expect((await other()).body).not.toEqual(body);
    }
    expect((await ask('/assets?mine', { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  it.each([
    ['no-store', { 'cache-control': 'no-store' }],
    ['varied by a header that the gateway ignores', { vary: 'Accept-Language' }],
  ])('is not created when the response is %s', async (name, headers) => {
    answering(headers);
    const path = `/assets?${encodeURIComponent(name)}`;
    expect((await ask(path)).body).not.toEqual((await ask(path)).body);
  });

  it('is returned only to its client when private', async () => {
    answering({ 'cache-control': 'private, max-age=5' });
    const from = (address: string) => ask('/assets?place', { 'x-forwarded-for': address });
    const { body } = await from('198.51.100.1');
    expect((await from('198.51.100.1')).body).toEqual(body);
    expect((await from('198.51.100.2')).body).not.toEqual(body);
  });

  it('expires', async () => {
    answering();
    const { body } = await gateway.call('/assets?short');
    await eventually(async () => {
      expect((await gateway.call('/assets?short')).body).not.toEqual(body);
    });
  });
});

describe('any other response', () => {
  it('is no-store: without cache headers, from the gateway itself or without a key', async () => {
    const answers = [
      await gateway.call('/assets'),
      await gateway.call('/nowhere'),
      await send(`${gateway.url}/assets`, { headers: { origin: ORIGIN } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401]);
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a preflight', () => {
  it('allows If-None-Match and is cached for a day', async () => {
    const { status, headers } = await send(`${gateway.url}/assets`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,if-none-match',
      },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toContain('if-none-match');
    expect(headers.get('access-control-max-age')).toBe('86400');
  });
});
