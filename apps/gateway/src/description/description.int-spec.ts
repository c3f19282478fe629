import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../testing/gateway.fixture.js';
import { StubbedGateway } from '../testing/stubbed-gateway.fixture.js';

const gateway = new StubbedGateway({ CORS_ORIGINS: 'https://shop.example' });
const bounded = new StubbedGateway({ RATE_LIMIT_KEYLESS_REQUESTS: '2' }, gateway.services);
beforeAll(async () => {
  await gateway.open();
  await bounded.open();
});
afterAll(async () => {
  await bounded.close();
  await gateway.close();
});

describe('GET /openapi.json', () => {
  it('needs no key and may be read by any page', async () => {
    const { status, body, headers } = await send(`${gateway.url}/openapi.json`, {
      headers: { origin: 'https://elsewhere.example' },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('content-type')).toContain('application/json');
  });

  it('is not sent again to a client that has it', async () => {
    const url = `${gateway.url}/openapi.json`;
    const first = await send(url);
    const tag = first.headers.get('etag') ?? '';
    const second = await send(url, { headers: { 'if-none-match': tag } });
    expect([second.status, second.body]).toEqual([304, '']);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('answers HEAD, and refuses other methods', async () => {
    const url = `${gateway.url}/openapi.json`;
    expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    const refused = await send(url, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('counts as a request without a key', async () => {
    const url = `${bounded.url}/openapi.json`;
    const statuses = [await send(url), await send(url), await send(url)].map((each) => each.status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('GET /docs', () => {
  it('is a page that may load from this origin alone', async () => {
    const { status, body, headers } = await send(`${gateway.url}/docs`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(body).not.toMatch(/https?:/);
  });

  it('brings its files, compressed or not', async () => {
    for (const name of ['start.js', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
      const url = `${gateway.url}/docs/${name}`;
      const plain = await send(url, { headers: { 'accept-encoding': 'identity' } });
      const accepting = { 'accept-encoding': 'gzip' };
      const packed = await send(url, { headers: accepting });
      expect([plain.status, packed.status]).toEqual([200, 200]);
      const isSmall = name === 'start.js';
      expect(packed.headers.get('content-encoding')).toBe(isSmall ? null : 'gzip');
      expect(packed.body).toBe(plain.body);
      const known = { ...accepting, 'if-none-match': packed.headers.get('etag') ?? '' };
      expect((await send(url, { headers: known })).status).toBe(304);
    }
  });
});
