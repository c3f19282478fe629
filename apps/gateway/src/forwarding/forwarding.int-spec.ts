import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { request as requestBy } from 'undici';
import type { ErrorBody } from '@bascule/contracts';
import { startCapturingServer } from '@bascule/testing';
import { bearer, send, withGatewayBefore } from '../testing/gateway.fixture.js';
import { ROUTES } from '../routing/route-table.js';
import { StubbedGateway } from '../testing/stubbed-gateway.fixture.js';

const gateway = new StubbedGateway();
const { catalogue, quote } = gateway.services;
beforeAll(() => gateway.open());
afterEach(() => {
  gateway.reset();
});
afterAll(() => gateway.close());

describe('the gateway', () => {
  it.each(ROUTES.filter(({ path }) => !path.includes(':')))(
    '$method $path goes to $service',
    async ({ method, path, service }) => {
      const { received: asked } = gateway.services[service];
      const before = asked.length;
      expect((await gateway.call(`${path}?a[]=1&a[]=%20x`, { method })).status).toBe(200);
      expect(asked.slice(before)).toMatchObject([{ method, url: `${path}?a[]=1&a[]=%20x` }]);
    },
  );

  it.each([
    ['GET', '/'],
    ['GET', '/payments/archive'],
    ['GET', '/payments/'],
  ])('returns 404 for %s %s with and without a key', async (method, path) => {
    for (const headers of [{}, gateway.key]) {
      const { status, body } = await send(gateway.url + path, { method, headers });
      expect(status).toBe(404);
      expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    }
  });

  it.each([
    ['PUT', '/payments', 'GET, HEAD'],
    ['GET', '/prices', 'POST'],
    ['PUT', '/orgs/webhooks', 'GET, HEAD, POST, PATCH, DELETE'],
    ['GET', '/providers/swiftramp/callbacks', 'POST'],
  ])('returns 405 for %s %s, with the methods of the path', async (method, path, allowed) => {
    for (const headers of [{}, gateway.key]) {
      const answer = await send(gateway.url + path, { method, headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
      expect(answer.body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    }
  });

  it.each(['TRACE', 'PROPFIND', 'MKCOL'])(
    'returns 405 for %s, on a known path only',
    async (method) => {
      const statuses = [];
      for (const path of ['/payments/quotes', '/nowhere']) {
        // `fetch` refuses to send TRACE.
        const { statusCode, headers, body } = await requestBy(gateway.url + path, {
          method,
        });
        const { errors } = (await body.json()) as ErrorBody;
        expect(errors).toEqual([{ kind: 'other', message: expect.any(String) }]);
        statuses.push([statusCode, headers['allow']]);
      }
      expect(statuses).toEqual([
        [405, 'POST'],
        [404, undefined],
      ]);
    },
  );

  it('answers HEAD as GET, without a body', async () => {
    const answer = await send(`${gateway.url}/assets`, { method: 'HEAD', headers: gateway.key });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect((await send(`${gateway.url}/assets`, { method: 'HEAD' })).status).toBe(401);
  });
});

describe('a request', () => {
  it('is forwarded unchanged: bytes, type, idempotency key and request id', async () => {
    let received = Buffer.alloc(0);
    quote.handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received = Buffer.concat(chunks);
        response.end('{}');
      });
    };
    const bytes = Buffer.from('this is { no JSON \u00ff', 'latin1');
    const { headers } = await gateway.post('/payments/quotes', bytes, {
      'idempotency-key': 'k1',
      'x-request-id': 'mine-1',
    });
    expect(received.equals(bytes)).toBe(true);
    expect(quote.received.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      'idempotency-key': 'k1',
      'x-request-id': 'mine-1',
    });
    expect(headers.get('x-request-id')).toBe('mine-1');
  });

  it('continues the trace of the client or starts a new one', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const tracestate = 'congo=t61rcWkgMzE';
    const heard = async (headers: Record<string, string>) => {
      await gateway.post('/payments/quotes', '{}', headers);
      return quote.received.at(-1)?.headers;
    };
    expect(await heard({ traceparent, tracestate })).toMatchObject({ traceparent, tracestate });
    const malformed: Record<string, string> = { traceparent: `${traceparent}-x`, tracestate };
    for (const headers of [{}, malformed]) {
      const { traceparent: begun, tracestate: passed } = (await heard(headers)) ?? {};
      expect(begun).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
      expect(begun).not.toContain('4bf92f3577b34da6a3ce929d0e0e4736');
      expect(passed).toBeUndefined();
    }
  });

  it('returns 415 without forwarding a content-encoding', async () => {
    const before = quote.received.length;
    const headers = { 'content-encoding': 'gzip' };
    const { status, body } = await gateway.post('/payments/quotes', '{}', headers);
    expect(status).toBe(415);
    expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    expect(quote.received).toHaveLength(before);
  });

  it('returns 413 without forwarding a body over 256 KiB, with or without content-length', async () => {
    const before = quote.received.length;
    const large = 'x'.repeat(256 * 1024 + 1);
    const counted = await gateway.post('/payments/quotes', large);
    const chunked = await send(`${gateway.url}/payments/quotes`, {
      method: 'POST',
      headers: { ...gateway.key, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    for (const { status, body } of [counted, chunked]) {
      expect(status).toBe(413);
      expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    }
    expect(quote.received).toHaveLength(before);
    expect((await gateway.post('/payments/quotes', 'x'.repeat(256 * 1024))).status).toBe(200);
  });

  it('has the largest body that is configured', async () => {
    const upstream = await startCapturingServer(() => ({ body: '{}' }));
    await withGatewayBefore(upstream.url, { BODY_LIMIT_BYTES: '1000' }, async (fixture) => {
      const post = (bytes: number) =>
        send(`${fixture.gateway.url}/payments/quotes`, {
          method: 'POST',
          headers: { ...bearer(fixture.keys.secret), 'content-type': 'application/json' },
          body: 'x'.repeat(bytes),
        });
      expect([(await post(1_000)).status, (await post(1_001)).status]).toEqual([200, 413]);
      expect(upstream.requests).toHaveLength(1);
    }).finally(() => upstream.stop());
  });
});

describe('a response', () => {
  it('is returned unchanged: status, headers and body', async () => {
    catalogue.handler = (_, response) =>
      response
        .writeHead(409, {
          'content-type': 'application/json',
          'x-note': 'n',
          connection: 'x-hop',
          'x-hop': '1',
        })
        .end('{"errors":[{"kind":"other","message":"Mine."}]}');
    const { status, body, headers } = await gateway.call('/assets');
    expect(status).toBe(409);
    expect(body).toEqual({ errors: [{ kind: 'other', message: 'Mine.' }] });
    expect(headers.get('x-note')).toBe('n');
    expect(headers.get('x-hop')).toBeNull();
  });

  it('is returned unchanged when it redirects', async () => {
    catalogue.handler = (_, response) =>
      response.writeHead(303, { location: 'https://checkout.example/1' }).end();
    const { status, headers } = await gateway.call('/assets', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, 'https://checkout.example/1']);
  });

  it.each([
    ['small', 10, true],
    ['small, of unknown length', 10, false],
    ['large', 3_000_000, true],
    ['large, of unknown length', 3_000_000, false],
    ['empty', 0, true],
  ])('is returned byte by byte when %s', async (_, size, isLengthKnown) => {
    const bytes = randomBytes(size);
    catalogue.handler = (__, response) => {
      response.writeHead(200, isLengthKnown ? { 'content-length': size } : {});
      response.end(bytes);
    };
    const headers = gateway.key;
    const response = await fetch(`${gateway.url}/assets`, { headers });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('is returned unchanged without content', async () => {
    catalogue.handler = (_, response) => response.writeHead(204).end();
    expect(await gateway.call('/assets')).toMatchObject({ status: 204, body: '' });
  });

  it('is streamed while the service is still sending', async () => {
    let finish = (): void => undefined;
    catalogue.handler = (_, response) => {
      response.write('first');
      finish = () => response.end('second');
    };
    const response = await fetch(`${gateway.url}/assets`, {
      headers: gateway.key,
    });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
  });
});

describe('an OPTIONS request other than a preflight', () => {
  it.each([{}, { origin: 'https://shop.example' }])(
    'is answered without a body: %j',
    async (headers) => {
      for (const path of ['/nope', '/assets']) {
        const { status, body } = await send(gateway.url + path, { method: 'OPTIONS', headers });
        expect([status, body]).toEqual([204, '']);
      }
    },
  );
});

describe('browsers', () => {
  it('can call from any origin: preflights need no key, errors have CORS headers', async () => {
    const preflight = await send(`${gateway.url}/payments/confirm`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const allowed = preflight.headers.get('access-control-allow-headers');
    expect(allowed).toContain('authorization');
    expect(allowed).toContain('idempotency-key');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const headers = { origin: 'https://shop.example' };
    const refused = await send(`${gateway.url}/assets`, { headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.headers.get('access-control-expose-headers')).toContain('x-request-id');
  });
});
