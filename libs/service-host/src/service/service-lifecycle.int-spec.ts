import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Controller, Get, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, ServiceContext, parseConfig } from '@bascule/process';
import { freePort } from '@bascule/testing';
import { Public } from '@bascule/identity';
import { serverEnv } from './http-config.js';
import type { RunningService } from './service-definition.js';
import { send, startTestService } from '../testing/service.fixture.js';
import { beginService, startService } from './start-service.js';

/** Request that is answered when the test opens it. */
class Gate {
  readonly entered: Promise<void>;
  readonly opened: Promise<void>;
  enter: () => void = () => undefined;
  open: () => void = () => undefined;
  constructor() {
    this.entered = new Promise((resolve) => (this.enter = resolve));
    this.opened = new Promise((resolve) => (this.open = resolve));
  }
}

function slowController(gate: Gate) {
  @Public()
  @Controller()
  class SlowController {
    constructor(readonly context: ServiceContext) {}
    @Get('slow')
    async slow() {
      gate.enter();
      await gate.opened;
      return { done: true };
    }
    @Get('poll')
    async poll() {
      gate.enter();
      const { stopping } = this.context.shutdown;
      await new Promise((resolve) => {
        stopping.addEventListener('abort', resolve);
      });
      return { status: 'PENDING' };
    }
    @Get('name')
    name() {
      return { name: this.context.name };
    }
  }
  return SlowController;
}

function request(url: string, agent: Agent): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve({ response, text });
      });
    }).on('error', reject);
  });
}

const readiness = async (service: RunningService) =>
  (await send(`${service.operationsUrl}/health/ready`)).status;

describe('the lifecycle of a service', () => {
  it('shuts down in order: not ready, grace with Connection: close, intake, work, relay, database', async () => {
    const gate = new Gate();
    const service = await startTestService({ controllers: [slowController(gate)] });
    const order: string[] = [];
    for (const phase of ['database', 'relay', 'work', 'intake'] as const) {
      service.context.shutdown.add(phase, phase, async () => {
        order.push(phase);
      });
    }
    expect(await readiness(service)).toBe(200);
    const agent = new Agent({ keepAlive: true });
    const inFlight = request(`${service.url}/slow`, agent);
    await gate.entered;

    const left = service.shutdown({ graceMs: 3_000, deadlineMs: 30_000 });
    expect(await readiness(service)).toBe(503);
    // The service's own port is open still: not ready comes first.
    const duringGrace = await fetch(`${service.url}/name`);
    expect(duringGrace.status).toBe(200);
    expect(duringGrace.headers.get('connection')).toBe('close');
    expect((await send(`${service.operationsUrl}/health/live`)).status).toBe(200);

    service.context.shutdown.stopping.addEventListener('abort', () => {
      order.push('stopping');
    });
    await new Promise((resolve) =>
      service.context.shutdown.stopping.addEventListener('abort', resolve),
    );
    await expect(fetch(`${service.url}/name`)).rejects.toThrow();
    order.push('refused');
    expect(await readiness(service)).toBe(503);
    expect((await send(`${service.operationsUrl}/metrics`)).status).toBe(200);
    gate.open();
    const { response, text } = await inFlight;
    expect(text).toBe('{"done":true}');
    expect(response.headers.connection).toBe('close');
    await left;
    expect(order.filter((step) => step !== 'refused')).toEqual([
      'stopping',
      'intake',
      'work',
      'relay',
      'database',
    ]);
    expect(order.indexOf('refused')).toBeLessThan(order.indexOf('relay'));
    await expect(fetch(`${service.operationsUrl}/health/live`)).rejects.toThrow();
    agent.destroy();
  });

  it('ends long polls instead of waiting for them', async () => {
    const gate = new Gate();
    const service = await startTestService({ controllers: [slowController(gate)] });
    const polled = send(`${service.url}/poll`);
    await gate.entered;
    await service.shutdown({ graceMs: 0, deadlineMs: 5_000 });
    expect((await polled).body).toEqual({ status: 'PENDING' });
  });

  it('stops at the deadline despite a hanging request, and still closes the database', async () => {
    const gate = new Gate();
    const service = await startTestService({ controllers: [slowController(gate)] });
    let isDatabaseClosed = false;
    service.context.shutdown.add('database', 'database', async () => {
      isDatabaseClosed = true;
    });
    const stuck = send(`${service.url}/slow`).catch((error: unknown) => error);
    await gate.entered;
    await expect(service.shutdown({ graceMs: 0, deadlineMs: 400 })).rejects.toThrow('cleanly');
    expect(isDatabaseClosed).toBe(true);
    expect(await stuck).toHaveProperty('message', 'fetch failed');
  });

  it('does not wait for idle keep-alive connections', async () => {
    const service = await startTestService({ controllers: [slowController(new Gate())] });
    const agent = new Agent({ keepAlive: true });
    await request(`${service.url}/name`, agent);
    // Idle connections are kept for longer than this deadline, which would fail.
    await expect(service.shutdown({ graceMs: 0, deadlineMs: 30_000 })).resolves.toBeUndefined();
    agent.destroy();
  });

  it('shuts down once, also when called repeatedly', async () => {
    const service = await startTestService({ controllers: [] });
    let times = 0;
    service.context.shutdown.add('relay', 'count', async () => {
      times += 1;
    });
    await Promise.all([service.shutdown({ graceMs: 0 }), service.shutdown({ graceMs: 0 })]);
    expect(times).toBe(1);
  });
});

describe('several services in one process', () => {
  it('share nothing: each has its name, metrics, readiness and shutdown', async () => {
    const controller = slowController(new Gate());
    const one = await startTestService({ name: 'one', controllers: [controller] });
    const two = await startTestService({ name: 'two', controllers: [controller] });
    expect((await send(`${one.url}/name`)).body).toEqual({ name: 'one' });
    expect((await send(`${two.url}/name`)).body).toEqual({ name: 'two' });
    await send(`${one.url}/name`);
    const count = async (service: RunningService) =>
      /http_request_duration_seconds_count\{[^}]*route="\/name"[^}]*\} (\d+)/.exec(
        String((await send(`${service.operationsUrl}/metrics`)).body),
      )?.[1];
    expect(await count(one)).toBe('2');
    expect(await count(two)).toBe('1');
    two.context.health.ready('broken', () => 'is broken');
    expect([await readiness(one), await readiness(two)]).toEqual([200, 503]);
    await one.shutdown({ graceMs: 0 });
    expect((await send(`${two.url}/name`)).status).toBe(200);
    await two.shutdown({ graceMs: 0 });
  });
});

describe('a start that waits for a dependency', () => {
  const begin = async (gate: Gate, port: number, operationsPort: number) => {
    class Pool {}
    @Module({
      controllers: [slowController(gate)],
      providers: [
        {
          provide: Pool,
          inject: [ServiceContext],
          useFactory: async ({ health, shutdown }: ServiceContext) => {
            let isThere = false;
            health.ready('database', () => isThere || 'no answer from 10.0.0.7:5432');
            const stopped = new Promise((_, reject) => {
              shutdown.stopping.addEventListener('abort', () => {
                reject(new Error('stopped'));
              });
            });
            await Promise.race([gate.opened, stopped]);
            isThere = true;
            return new Pool();
          },
        },
      ],
    })
    class WaitingModule {}
    const service = await beginService(
      {
        name: 'waiting',
        parseConfig: (env: NodeJS.ProcessEnv) => parseConfig(env, serverEnv),
        module: () => WaitingModule,
      },
      {
        ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
        OPERATIONS_PORT: String(operationsPort),
      },
    );
    while (!('database' in (await service.context.health.evaluateReady()).checks)) {
      await new Promise(setImmediate);
    }
    return service;
  };

  it('is live, reports its dependency and answers 503; then it serves', async () => {
    const gate = new Gate();
    const port = await freePort();
    const operationsPort = await freePort();
    const service = await begin(gate, port, operationsPort);
    const base = `http://127.0.0.1:${port}`;
    const operations = `http://127.0.0.1:${operationsPort}`;
    expect((await send(`${operations}/health/live`)).status).toBe(200);
    expect(await send(`${operations}/health/ready`)).toMatchObject({
      status: 503,
      body: { checks: { process: 'starting', database: 'no answer from 10.0.0.7:5432' } },
    });
    expect((await send(`${operations}/metrics`)).status).toBe(200);
    const early = await send(`${base}/name`);
    expect(early).toMatchObject({ status: 503, body: { errors: [{ kind: 'unknown' }] } });
    expect(early.headers.get('retry-after')).toBe('2');
    gate.open();
    const running = await service.started;
    expect((await send(`${operations}/health/ready`)).status).toBe(200);
    expect((await send(`${base}/name`)).body).toEqual({ name: 'waiting' });
    await running.shutdown({ graceMs: 0 });
    await expect(fetch(`${base}/name`)).rejects.toThrow();
    await expect(fetch(`${operations}/health/live`)).rejects.toThrow();
  });

  it('can be stopped', async () => {
    const service = await begin(new Gate(), 0, 0);
    await service.shutdown({ graceMs: 0 });
    await expect(service.started).rejects.toThrow('stopped');
  });
});

describe('a start that fails', () => {
  it('lists all problems of the environment', async () => {
    const definition = {
      name: 'wrong',
      parseConfig: (env: NodeJS.ProcessEnv) => parseConfig(env, serverEnv),
      module: () => class Nothing {},
    };
    const start = () => startService(definition, { PORT: 'x', LOG_LEVEL: 'loud' });
    await expect(start()).rejects.toThrow(ConfigurationError);
    await expect(start()).rejects.toThrow(/PORT[\s\S]*LOG_LEVEL|LOG_LEVEL[\s\S]*PORT/);
  });

  it('fails on a port that is in use', async () => {
    const first = await startTestService({ controllers: [] });
    let isConfigured = false;
    const second = startTestService(
      {
        controllers: [],
        configure: () => {
          isConfigured = true;
        },
      },
      { PORT: String(first.port) },
    );
    await expect(second).rejects.toThrow('EADDRINUSE');
    expect(isConfigured).toBe(false);
    await first.shutdown({ graceMs: 0 });
  });

  it('stops started parts when a module cannot be created', async () => {
    let isStopped = false;
    class Pool {}
    @Module({
      providers: [
        {
          provide: Pool,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => {
            context.shutdown.add('database', 'pool', async () => {
              isStopped = true;
            });
            throw new Error('the database is not there');
          },
        },
      ],
    })
    class BrokenModule {}
    await expect(startTestService({ imports: [BrokenModule] })).rejects.toThrow('not there');
    expect(isStopped).toBe(true);
  });
});
