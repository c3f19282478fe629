import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { Upstream } from '../testing/stubbed-gateway.fixture.js';

/** A quarter of all bytes, and half of those of visitors. */
const LARGEST = 256 * 1024;

const service = new Upstream();
let fixture: GatewayFixture;
let sockets: Socket[] = [];

beforeAll(async () => {
  fixture = await startGateway(await service.listen(), {
    REQUEST_BODIES_BYTES: `${4 * LARGEST}`,
    TRUSTED_HOPS: '1',
  });
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  await fixture.stop();
  await service.close();
});

/** Announces the largest body of a callback, and sends none of it unless it is refused; returns what is answered. */
function announce(address: string): Promise<string> {
  const { hostname, port } = new URL(fixture.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /providers/bank/callbacks HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n` +
      `content-length: ${LARGEST}\r\n\r\n`,
  );
  sockets.push(socket);
  return once(socket, 'data').then(([data]) => String(data));
}

async function heldBytes(): Promise<number> {
  const text = await fixture.gateway.context.metrics.metrics();
  return Number(text.split('\ngateway_request_body_bytes ')[1]?.split('\n')[0]);
}
const untilHeld = (bytes: number) => eventually(async () => expect(await heldBytes()).toBe(bytes));

function post(key: string, address: string) {
  return send(`${fixture.gateway.url}/payments/quotes`, {
    method: 'POST',
    headers: { ...bearer(key), 'x-forwarded-for': address, 'content-type': 'application/json' },
    body: '{}',
  });
}

/** Waits until the server has ended a connection. */
const ended = (socket: Socket | undefined) =>
  eventually(() => expect(socket?.destroyed || socket?.readableEnded).toBe(true));

describe('request bodies that do not arrive', () => {
  it('take a share of one address, and make room for visitors with fewer', async () => {
    void announce('203.0.113.1');
    await untilHeld(LARGEST);
    expect(await announce('203.0.113.1')).toContain('HTTP/1.1 503');
    void announce('203.0.113.2');
    await untilHeld(2 * LARGEST);
    expect(await announce('203.0.113.3')).toContain('HTTP/1.1 503');
    expect((await post(fixture.keys.secret, '203.0.113.4')).status).toBe(200);
    expect((await post(fixture.keys.publishable, '203.0.113.4')).status).toBe(200);
    await ended(sockets[0]);
    await untilHeld(LARGEST);
  });

  it('give back their bytes with their connections', async () => {
    void announce('203.0.113.1');
    void announce('203.0.113.2');
    await untilHeld(2 * LARGEST);
    for (const socket of sockets) socket.destroy();
    await untilHeld(0);
    expect((await post(fixture.keys.publishable, '203.0.113.4')).status).toBe(200);
  });

  it('hold nothing where the connection ends during the admission', async () => {
    const rateLimits = fixture.gateway.app.get(RateLimitsService);
    let admit = () => undefined as void;
    let isAsked = false;
    const take = jest.spyOn(rateLimits, 'takeKeyless').mockImplementation(() => {
      isAsked = true;
      return new Promise((resolve) => (admit = resolve));
    });
    try {
      const closed = once(fixture.gateway.app.getHttpServer(), 'request');
      void announce('203.0.113.1');
      const [, response] = (await closed) as [unknown, ServerResponse];
      await eventually(() => expect(isAsked).toBe(true));
      for (const socket of sockets) socket.destroy();
      await eventually(() => expect(response.destroyed).toBe(true));
      admit();
      await new Promise(setImmediate);
      expect(await heldBytes()).toBe(0);
    } finally {
      take.mockRestore();
    }
  });
});
