import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { freePort } from '@bascule/local-stack';
import { parseConfig } from '@bascule/process';
import { Public } from '@bascule/identity';
import { eventually } from '@bascule/testing';
import { Gauge } from 'prom-client';
import { operationsAddress, serverEnv } from '../service/http-config.js';
import type { RunningService } from '../service/service-definition.js';
import { send, startTestService } from '../testing/service.fixture.js';

const PATHS = ['/health/live', '/health/ready', '/metrics'];
/** As the server defines it. */
const MAX_CONNECTIONS = 64;

let waiting = 0;
let open = (): void => undefined;
let opened = Promise.resolve();

@Controller()
class SlowController {
  @Public()
  @Get('slow')
  async slow() {
    waiting += 1;
    await opened;
    return {};
  }
}

let service: RunningService;
beforeAll(async () => {
  service = await startTestService({ controllers: [SlowController] });
});
afterAll(() => service.shutdown({ graceMs: 0 }));

const operations = (path: string, init: RequestInit = {}) =>
  send(service.operationsUrl + path, init);

/** Sends a request that fetch would refuse to. */
function raw(options: RequestOptions, body = ''): Promise<IncomingMessage> {
  const { hostname, port } = new URL(service.operationsUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, ...options }, (response) => {
      response.resume();
      resolve(response);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the port for operations', () => {
  it('is the only one with health and metrics', async () => {
    for (const path of PATHS) {
      expect((await operations(path)).status).toBe(200);
      expect(await send(service.url + path)).toMatchObject({
        status: 404,
        body: { errors: [{ kind: 'other', message: 'Path not found.' }] },
      });
    }
    for (const path of ['/', '/slow', '/metrics/', '/health']) {
      expect(await operations(path)).toMatchObject({ status: 404, body: { errors: [{}] } });
    }
  });

  it('answers while the port of the service is saturated', async () => {
    opened = new Promise((resolve) => (open = resolve));
    const before = waiting;
    const slow = Array.from({ length: 300 }, () => fetch(`${service.url}/slow`));
    await eventually(() => expect(waiting).toBe(before + 300));
    for (const path of PATHS) expect((await operations(path)).status).toBe(200);
    open();
    await Promise.all(slow);
  });

  it('reads no body and knows no other method', async () => {
    expect((await raw({ method: 'POST', path: '/metrics' }, 'x')).statusCode).toBe(405);
    const withBody = { method: 'GET', path: '/metrics', headers: { 'content-length': '3' } };
    const refused = await raw(withBody, 'abc');
    expect([refused.statusCode, refused.headers.connection]).toEqual([413, 'close']);
    const head = await raw({ method: 'HEAD', path: '/health/live' });
    expect([head.statusCode, Number(head.headers['content-length']) > 0]).toEqual([200, true]);
  });

  it('holds a bounded number of connections', async () => {
    const { hostname, port } = new URL(service.operationsUrl);
    let [answered, refused] = [0, 0];
    const sockets = Array.from({ length: MAX_CONNECTIONS + 10 }, () => {
      const socket = connect(Number(port), hostname);
      let isAnswered = false;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        if (!isAnswered) answered += 1;
        isAnswered = true;
      });
      socket.on('close', () => (refused += isAnswered ? 0 : 1));
      socket.write('GET /health/live HTTP/1.1\r\nhost: operations\r\n\r\n');
      return socket;
    });
    await eventually(() => expect(answered + refused).toBe(sockets.length));
    // Connections of other tests may be open still.
    expect(answered).toBeLessThanOrEqual(MAX_CONNECTIONS);
    expect(answered).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await operations('/health/live')).status).toBe(200));
  });

  it('ends a connection that sends no request', async () => {
    const { hostname, port } = new URL(service.operationsUrl);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.resume();
    await eventually(() => expect(socket.destroyed).toBe(true));
  }, 60_000);

  it('computes an answer once for requests at the same time', async () => {
    let scrapes = 0;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    new Gauge({
      name: 'slow_gauge',
      help: 'Takes its time.',
      registers: [service.context.metrics],
      async collect() {
        scrapes += 1;
        await finished;
        this.set(1);
      },
    });
    const asked = Array.from({ length: 20 }, () => operations('/metrics'));
    await eventually(() => expect(scrapes).toBe(1));
    finish();
    for (const { body } of await Promise.all(asked)) expect(String(body)).toContain('slow_gauge 1');
    expect(scrapes).toBe(1);
    service.context.metrics.removeSingleMetric('slow_gauge');
  });
});

describe('the address for operations', () => {
  const environment = { HOST: '0.0.0.0', PORT: '8080' };
  const addressOf = (env: Record<string, string> = {}) =>
    operationsAddress(parseConfig({ ...environment, ...env }, serverEnv));

  it('differs from that of the service, also where several services run on one machine', () => {
    expect(addressOf()).toEqual({ host: '0.0.0.0', port: 9080 });
    expect(addressOf({ PORT: '65000' })).toEqual({ host: '0.0.0.0', port: 64000 });
    expect(addressOf({ PORT: '0' })).toEqual({ host: '0.0.0.0', port: 0 });
  });

  it('is configured by variables of its own', () => {
    const own = { OPERATIONS_HOST: '127.0.0.1', OPERATIONS_PORT: '9500' };
    expect(addressOf(own)).toEqual({ host: '127.0.0.1', port: 9500 });
  });

  it('leaves nothing behind where the service cannot listen', async () => {
    const port = await freePort();
    const own = { OPERATIONS_PORT: String(port) };
    const taken = { PORT: String(service.port), ...own };
    await expect(startTestService({}, taken)).rejects.toThrow('EADDRINUSE');
    const started = await startTestService({}, own);
    await started.shutdown({ graceMs: 0 });
  });
});
