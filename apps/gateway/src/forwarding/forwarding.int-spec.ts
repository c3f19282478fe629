import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { bearer, send, startGateway } from '../gateway.fixture.js';
import type { GatewayFixture } from '../gateway.fixture.js';
import { ROUTES } from '../routing/route-table.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A service that answers as the test says, and remembers what it was asked. */
class Upstream {
  readonly asked: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  connections = 0;
  handler: Handler = (_, response) => response.end('{}');
  private readonly server: Server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    this.asked.push({ method, url, headers });
    this.handler(request, response);
  });
  constructor() {
    this.server.on('connection', () => (this.connections += 1));
  }
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

const NAMES = ['quote', 'payment', 'withdrawal', 'catalogue', 'webhook-dispatch'] as const;
const upstreams = Object.fromEntries(NAMES.map((name) => [name, new Upstream()])) as Record<
  (typeof NAMES)[number],
  Upstream
>;
let fixture: GatewayFixture;
beforeAll(async () => {
  const urls = await Promise.all(
    NAMES.map(async (name) => [
      `${name.toUpperCase().replace('-', '_')}_URL`,
      await upstreams[name].listen(),
    ]),
  );
  fixture = await startGateway('http://127.0.0.1:1', {
    ...(Object.fromEntries(urls) as Record<string, string>),
    UPSTREAM_TIMEOUT_MS: '400',
    UPSTREAM_LONG_TIMEOUT_MS: '5000',
    UPSTREAM_IDLE_MS: '300',
    SHUTDOWN_DEADLINE_MS: '3000',
    SHUTDOWN_GRACE_MS: '0',
  });
});
afterEach(() => {
  for (const upstream of Object.values(upstreams))
    upstream.handler = (_, response) => response.end('{}');
});
afterAll(async () => {
  await fixture.stop();
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
});

const { catalogue, quote, withdrawal } = upstreams;
const call = (path: string, init: RequestInit = {}) =>
  send(fixture.gateway.url + path, {
    ...init,
    headers: { ...bearer(fixture.keys.secret), ...(init.headers as Record<string, string>) },
  });
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('the door', () => {
  it.each(ROUTES.filter(({ path }) => !path.includes(':')))(
    '$method $path goes to $service',
    async ({ method, path, service }) => {
      const { asked } = upstreams[service];
      const before = asked.length;
      expect((await call(`${path}?a[]=1&a[]=%20x`, { method })).status).toBe(200);
      expect(asked.slice(before)).toMatchObject([{ method, url: `${path}?a[]=1&a[]=%20x` }]);
    },
  );

  it.each([
    ['GET', '/'],
    ['GET', '/payments/history'],
    ['GET', '/payments/'],
    ['PUT', '/payments'],
    ['GET', '/prices'],
    ['HEAD', '/assets'],
    ['PATCH', '/orgs/webhooks'],
    ['GET', '/providers/swiftramp/callbacks'],
  ])('%s %s is 404, with a key or without', async (method, path) => {
    for (const headers of [{}, bearer(fixture.keys.secret)]) {
      const { status, body } = await send(fixture.gateway.url + path, { method, headers });
      expect(status).toBe(404);
      if (method === 'HEAD') continue;
      expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    }
  });
});

describe('a request', () => {
  it('passes unread: bytes, type, idempotency key and request id', async () => {
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
    const { headers } = await post('/payments/quotes', bytes, {
      'idempotency-key': 'k1',
      'x-request-id': 'mine-1',
    });
    expect(received.equals(bytes)).toBe(true);
    expect(quote.asked.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      'idempotency-key': 'k1',
      'x-request-id': 'mine-1',
    });
    expect(headers.get('x-request-id')).toBe('mine-1');
  });

  it('over 256 KiB is 413 and goes nowhere, however its length is told', async () => {
    const before = quote.asked.length;
    const large = 'x'.repeat(256 * 1024 + 1);
    const counted = await post('/payments/quotes', large);
    const chunked = await send(`${fixture.gateway.url}/payments/quotes`, {
      method: 'POST',
      headers: { ...bearer(fixture.keys.secret), 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    for (const { status, body } of [counted, chunked]) {
      expect(status).toBe(413);
      expect(body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
    }
    expect(quote.asked).toHaveLength(before);
    expect((await post('/payments/quotes', 'x'.repeat(256 * 1024))).status).toBe(200);
  });
});

describe('an answer', () => {
  it('passes unread: status, headers and body', async () => {
    catalogue.handler = (_, response) =>
      response
        .writeHead(409, {
          'content-type': 'application/json',
          'x-note': 'n',
          connection: 'x-hop',
          'x-hop': '1',
        })
        .end('{"errors":[{"kind":"other","message":"Mine."}]}');
    const { status, body, headers } = await call('/assets');
    expect(status).toBe(409);
    expect(body).toEqual({ errors: [{ kind: 'other', message: 'Mine.' }] });
    expect(headers.get('x-note')).toBe('n');
    expect(headers.get('x-hop')).toBeNull();
  });

  it('of a redirect is not followed', async () => {
    catalogue.handler = (_, response) =>
      response.writeHead(303, { location: 'https://checkout.example/1' }).end();
    const { status, headers } = await call('/assets', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, 'https://checkout.example/1']);
  });

  it('streams: its beginning arrives before its end was sent', async () => {
    let finish = (): void => undefined;
    catalogue.handler = (_, response) => {
      response.write('first');
      finish = () => response.end('second');
    };
    const response = await fetch(`${fixture.gateway.url}/assets`, {
      headers: bearer(fixture.keys.secret),
    });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
  });
});

describe('a service that does not answer', () => {
  const unknown = { errors: [{ kind: 'unknown', message: expect.any(String) }] };

  it('in time is 504, later where clients may wait', async () => {
    let answerWithdrawal = (): void => undefined;
    catalogue.handler = () => undefined;
    withdrawal.handler = (_, response) => {
      answerWithdrawal = () => response.end('{}');
    };
    const patient = post('/payments/withdraw/confirm', '{}');
    const late = await call('/assets');
    expect([late.status, late.body]).toEqual([504, unknown]);
    answerWithdrawal();
    expect((await patient).status).toBe(200);
  });

  it('at all is 503 and says nothing about where it is', async () => {
    const down = await startGateway('http://127.0.0.1:9');
    try {
      const { status, body, headers } = await send(`${down.gateway.url}/assets`, {
        headers: { ...bearer(down.keys.secret), origin: 'https://shop.example' },
      });
      expect([status, body]).toEqual([503, unknown]);
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN|:9/);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    } finally {
      await down.stop();
    }
  });

  it('and breaks off is 502, and is not asked twice', async () => {
    quote.handler = (request) => request.socket.destroy();
    const before = quote.asked.length;
    const { status, body } = await post('/payments/quotes', '{}');
    expect([status, body]).toEqual([502, unknown]);
    expect(quote.asked).toHaveLength(before + 1);
  });

  it('because it is just restarting is asked again when the connection was refused', async () => {
    const { port } = quote;
    await quote.close();
    const answer = post('/payments/quotes', '{"n":1}');
    setTimeout(() => void quote.listen(port), 100);
    expect((await answer).status).toBe(200);
  });
});

describe('a client that goes away', () => {
  it('ends the request to the service', async () => {
    let isEnded = false;
    withdrawal.handler = (request) => request.socket.once('close', () => (isEnded = true));
    const before = withdrawal.asked.length;
    const controller = new AbortController();
    const asked = fetch(`${fixture.gateway.url}/payments/withdraw/confirm`, {
      method: 'POST',
      headers: bearer(fixture.keys.secret),
      body: '{}',
      signal: controller.signal,
    }).catch(() => 'aborted');
    await eventually(() => expect(withdrawal.asked.length).toBe(before + 1));
    expect(isEnded).toBe(false);
    controller.abort();
    expect(await asked).toBe('aborted');
    await eventually(() => expect(isEnded).toBe(true), { timeoutMs: 2_000 });
  });
});

describe('connections to services', () => {
  it('are reused, and closed by the gateway when idle', async () => {
    const closedByGateway = new Set<Socket>();
    const seen = new Set<Socket>();
    catalogue.handler = ({ socket }, response) => {
      if (!seen.has(socket)) socket.once('end', () => closedByGateway.add(socket));
      seen.add(socket);
      response.end('{}');
    };
    const before = catalogue.connections;
    for (let each = 0; each < 10; each += 1) await call('/assets');
    expect(catalogue.connections - before).toBeLessThanOrEqual(1);
    await eventually(() => expect(closedByGateway.size).toBe(seen.size), { timeoutMs: 4_000 });
  });
});

describe('browsers', () => {
  it('may call from anywhere: preflights are answered without a key, errors carry the headers too', async () => {
    const preflight = await send(`${fixture.gateway.url}/payments/confirm`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const headers = { origin: 'https://shop.example' };
    const refused = await send(`${fixture.gateway.url}/assets`, { headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.headers.get('access-control-expose-headers')).toContain('x-request-id');
  });
});

describe('a gateway that leaves', () => {
  it('lets requests finish, and gives up those that would outlast it with 503', async () => {
    const upstream = new Upstream();
    const leaving = await startGateway(await upstream.listen(), {
      SHUTDOWN_DEADLINE_MS: '3000',
      SHUTDOWN_GRACE_MS: '0',
    });
    upstream.handler = (request, response) => {
      if (request.url === '/assets') setTimeout(() => response.end('{"late":true}'), 300);
    };
    const headers = bearer(leaving.keys.secret);
    const quick = send(`${leaving.gateway.url}/assets`, { headers });
    const endless = send(`${leaving.gateway.url}/payments/withdraw/confirm`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    await eventually(() => expect(upstream.asked).toHaveLength(2));
    await leaving.stop();
    expect((await quick).body).toEqual({ late: true });
    expect((await endless).status).toBe(503);
    await upstream.close();
  });
});
