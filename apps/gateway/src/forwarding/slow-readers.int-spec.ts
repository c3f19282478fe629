import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { Upstream } from '../testing/stubbed-gateway.fixture.js';

const CLIENTS = 3;
/** More than the buffers between the service and a client hold. */
const BODY = Buffer.alloc(32 * 1024 * 1024, 0x20);
const DRIP_MS = 50;

const service = new Upstream();
let fixture: GatewayFixture;
let sockets: Socket[] = [];

let url: string;

beforeAll(async () => {
  url = await service.listen();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(() => service.close());

/** Starts the gateway of a group of tests. */
function serve(upstreamTimeoutMs: number): void {
  beforeAll(async () => {
    fixture = await startGateway(url, {
      UPSTREAM_TIMEOUT_MS: `${upstreamTimeoutMs}`,
      CLIENT_READ_MS: '500',
    });
  });
  afterAll(() => fixture.stop());
}

/** Sends a request and reads nothing of its response. */
function askWithoutReading(): Socket {
  const { hostname, port } = new URL(fixture.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(
    `GET /assets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${fixture.keys.publishable}\r\n\r\n`,
  );
  sockets.push(socket);
  return socket;
}

describe('a client that does not read its response', () => {
  // Far beyond the test: only the time to read ends the exchange.
  serve(600_000);

  it('keeps no connection to the service beyond its time', async () => {
    let [begun, ended] = [0, 0];
    service.handler = (_, response) => {
      begun += 1;
      response.on('close', () => {
        if (!response.writableFinished) ended += 1;
      });
      response.writeHead(200, { 'content-length': BODY.length }).end(BODY);
    };
    for (let n = 0; n < CLIENTS; n += 1) askWithoutReading();
    await eventually(() => expect(begun).toBe(CLIENTS));
    await eventually(() => expect(ended).toBe(CLIENTS));
  });

  it('is disconnected', async () => {
    service.handler = (_, response) =>
      response.writeHead(200, { 'content-length': BODY.length }).end(BODY);
    const connected = once(fixture.gateway.app.getHttpServer(), 'connection');
    askWithoutReading();
    const [socket] = (await connected) as [Socket];
    await eventually(() => expect(socket.destroyed).toBe(true));
  });
});

describe('a service that sends its response in drops', () => {
  serve(2_000);

  it('is 504 at the end of the whole time of a request', async () => {
    let isClosed = false;
    service.handler = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      const drip = setInterval(() => response.write(' '), DRIP_MS);
      response.on('close', () => {
        clearInterval(drip);
        isClosed = true;
      });
    };
    const { status } = await send(`${fixture.gateway.url}/assets`, {
      headers: bearer(fixture.keys.secret),
    });
    expect(status).toBe(504);
    await eventually(() => expect(isClosed).toBe(true));
  });
});
