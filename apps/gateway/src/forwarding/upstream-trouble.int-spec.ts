import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import { StubbedGateway, Upstream } from '../testing/stubbed-gateway.fixture.js';
import type { Handler } from '../testing/stubbed-gateway.fixture.js';

const gateway = new StubbedGateway();
const { catalogue, quote, withdrawal } = gateway.services;
beforeAll(() => gateway.open());
afterEach(() => {
  gateway.reset();
});
afterAll(() => gateway.close());

describe('a failing service', () => {
  const unknown = { errors: [{ kind: 'unknown', message: expect.any(String) }] };

  it('returns 504 after the time limit, which is longer on waiting routes', async () => {
    let answerWithdrawal = (): void => undefined;
    catalogue.handler = () => undefined;
    withdrawal.handler = (_, response) => {
      answerWithdrawal = () => response.end('{}');
    };
    const slowRequest = gateway.post('/payments/withdraw/confirm', '{}');
    const late = await gateway.call('/assets');
    expect([late.status, late.body]).toEqual([504, unknown]);
    answerWithdrawal();
    expect((await slowRequest).status).toBe(200);
  });

  it('returns 503 when unreachable, without revealing its address', async () => {
    const down = await startGateway('http://127.0.0.1:9');
    try {
      const { status, body, headers } = await send(`${down.gateway.url}/assets`, {
        headers: { ...bearer(down.keys.secret), origin: 'https://shop.example' },
      });
      expect([status, body]).toEqual([503, unknown]);
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN|:9/);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('retry-after')).toBe('2');
    } finally {
      await down.stop();
    }
  });

  it('returns 502 after a broken connection, without a retry', async () => {
    quote.handler = (request) => request.socket.destroy();
    const before = quote.received.length;
    const { status, body } = await gateway.post('/payments/quotes', '{}');
    expect([status, body]).toEqual([502, unknown]);
    expect(quote.received).toHaveLength(before + 1);
  });

  it('returns 502 for a truncated small response and breaks the stream of a large one', async () => {
    const breakOff = (length: number): Handler => {
      return (_, response) => {
        response.writeHead(200, { 'content-length': length });
        response.write('the beginning', () => response.destroy());
      };
    };
    catalogue.handler = breakOff(1_000);
    expect(await gateway.call('/assets')).toMatchObject({ status: 502, body: unknown });
    catalogue.handler = breakOff(1_000_000);
    await expect(gateway.call('/assets')).rejects.toThrow();
  });

  it('is retried when it refuses the connection while restarting', async () => {
    const restarting = new Upstream();
    // Not an ephemeral port, which an outgoing connection could take meanwhile.
    const port = await freePort();
    const forwarding = await startGateway(`http://127.0.0.1:${port}`);
    try {
      const response = send(`${forwarding.gateway.url}/payments/quotes`, {
        method: 'POST',
        headers: bearer(forwarding.keys.secret),
        body: '{"n":1}',
      });
      setTimeout(() => void restarting.listen(port), 100);
      expect((await response).status).toBe(200);
    } finally {
      await forwarding.stop();
      await restarting.close();
    }
  });
});

describe('long waits', () => {
  it('do not block other requests to the same service', async () => {
    const waiting = new Upstream();
    const narrow = await startGateway(await waiting.listen(), { UPSTREAM_CONNECTIONS: '1' });
    try {
      let answer = (): void => undefined;
      waiting.handler = (request, response) => {
        if (request.url === '/payments/withdraw/status') response.end('{}');
        else answer = () => response.end('{"accepted":true}');
      };
      const headers = bearer(narrow.keys.secret);
      const { url } = narrow.gateway;
      const confirm = send(`${url}/payments/withdraw/confirm`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      await eventually(() => expect(waiting.received).toHaveLength(1));
      expect((await send(`${url}/payments/withdraw/status`, { headers })).status).toBe(200);
      answer();
      expect((await confirm).body).toEqual({ accepted: true });
    } finally {
      await narrow.stop();
      await waiting.close();
    }
  });
});

describe('a client that disconnects', () => {
  it('aborts the request to the service', async () => {
    let isEnded = false;
    withdrawal.handler = (request) => request.socket.once('close', () => (isEnded = true));
    const before = withdrawal.received.length;
    const controller = new AbortController();
    const asked = fetch(`${gateway.url}/payments/withdraw/confirm`, {
      method: 'POST',
      headers: gateway.key,
      body: '{}',
      signal: controller.signal,
    }).catch(() => 'aborted');
    await eventually(() => expect(withdrawal.received.length).toBe(before + 1));
    expect(isEnded).toBe(false);
    controller.abort();
    expect(await asked).toBe('aborted');
    await eventually(() => expect(isEnded).toBe(true));
  });

  it('aborts the request in the middle of a response', async () => {
    let isEnded = false;
    catalogue.handler = (request, response) => {
      request.socket.once('close', () => (isEnded = true));
      response.write('x'.repeat(1_000));
    };
    const response = await fetch(`${gateway.url}/assets`, {
      headers: gateway.key,
    });
    await response.body?.cancel();
    await eventually(() => expect(isEnded).toBe(true));
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
    for (let each = 0; each < 10; each += 1) await gateway.call('/assets');
    expect(catalogue.connections - before).toBeLessThanOrEqual(1);
    await eventually(() => expect(closedByGateway.size).toBe(seen.size));
  });
});

describe('a gateway that shuts down', () => {
  it('lets requests finish and returns 502 for those that take too long', async () => {
    const upstream = new Upstream();
    const leaving = await startGateway(await upstream.listen(), {
      SHUTDOWN_DEADLINE_MS: '3000',
      SHUTDOWN_GRACE_MS: '0',
    });
    let finish = (): void => undefined;
    upstream.handler = (request, response) => {
      if (request.url === '/assets') finish = () => response.end('{"late":true}');
    };
    const headers = bearer(leaving.keys.secret);
    const quick = send(`${leaving.gateway.url}/assets`, { headers });
    const endless = send(`${leaving.gateway.url}/payments/withdraw/confirm`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    await eventually(() => expect(upstream.received).toHaveLength(2));
    const stopped = leaving.stop();
    finish();
    await stopped;
    expect((await quick).body).toEqual({ late: true });
    expect((await endless).status).toBe(502);
    await upstream.close();
  });
});
