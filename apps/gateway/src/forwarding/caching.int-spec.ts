import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../gateway.fixture.js';
import { Door } from './door.fixture.js';

const door = new Door();
const { catalogue } = door.services;
beforeAll(() => door.open());
afterEach(() => {
  door.calm();
});
afterAll(() => door.close());

const TAG = '"abc"';
const ORIGIN = 'https://shop.example';
const CACHEABLE = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=30, s-maxage=5',
  vary: 'Accept-Encoding',
  etag: TAG,
};

describe('an answer that may be kept', () => {
  it('passes with its tag, packed as it came, and is kept apart by key and origin', async () => {
    const packed = gzipSync('{"usd":{}}');
    catalogue.handler = (_, response) =>
      response.writeHead(200, { ...CACHEABLE, 'content-encoding': 'gzip' }).end(packed);
    const accepting = { 'accept-encoding': 'gzip', origin: ORIGIN };
    const { status, headers, body } = await door.call('/assets', { headers: accepting });
    expect([status, body]).toEqual([200, { usd: {} }]);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: TAG,
      'cache-control': CACHEABLE['cache-control'],
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding, Authorization, Origin',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('etag'),
    });
    expect(catalogue.asked.at(-1)?.headers['accept-encoding']).toBe('gzip');
  });

  it('is not sent again to who has it', async () => {
    catalogue.handler = ({ headers }, response) =>
      headers['if-none-match'] === TAG
        ? response.writeHead(304, CACHEABLE).end()
        : response.writeHead(200, CACHEABLE).end('{}');
    const known = { 'if-none-match': TAG };
    const { status, headers, body } = await door.call('/assets', { headers: known });
    expect([status, body]).toEqual([304, '']);
    expect(headers.get('etag')).toBe(TAG);
    expect(headers.get('vary')).toBe('Accept-Encoding, Authorization, Origin');
    // A 304 has no body to keep, so nothing may wait for one.
    expect((await door.call('/assets')).status).toBe(200);
  });
});

describe('any other answer', () => {
  it('is kept by nobody: of a service that says nothing, of the gateway itself, of a page without a key', async () => {
    const answers = [
      await door.call('/assets'),
      await door.call('/nowhere'),
      await send(`${door.url}/assets`, { headers: { origin: ORIGIN } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401]);
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a preflight', () => {
  it('lets pages ask with a tag, and is asked once a day', async () => {
    const { status, headers } = await send(`${door.url}/assets`, {
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
