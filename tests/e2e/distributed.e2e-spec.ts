import { commandLine, isAlive } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { Api } from '../../tools/first-payment/api.js';
import { setSolverBehaviour } from '../../tools/first-payment/solver.js';
import { SERVICE_NAMES, type StackFile } from '@bascule/composition';
import type { RunningStack } from './testing/crossings/crossing-stand.fixture.js';
import { ALL_SCENARIOS, crossings, DELIVERIES } from './testing/crossings/crossings.fixture.js';
import { checkedRequest } from '../testing/checked-request.fixture.js';
import { DistributedStack } from '../testing/distributed-stack.fixture.js';
import { isLongForm } from '../testing/long-form.fixture.js';
import { fetchOutsideApi } from '../testing/outside-api.fixture.js';
import { outages } from './testing/outages.fixture.js';

/** The attester that crashes. */
const KILLED = 1;
const PATIENCE = { timeoutMs: 30_000 };

let stack: DistributedStack;
let file: StackFile;

beforeAll(async () => {
  stack = await DistributedStack.create('distributed');
  file = await stack.start();
});

afterAll(() => stack.dispose());

/** Uses its own connection: connections to a killed replica are broken, new ones reach the others. */
const ask = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${file.keys.secret}` };
  return (await checkedRequest(new URL('/chains', file.base_url), { agent: false, headers }))
    .status;
};

/** On a busy machine a replica may be unready for a moment. */
const expectAllAnswer = async () =>
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);

/** Lists exactly the processes of the stack. */
const processes = () => [
  file.pid,
  ...stack.services().map(({ pid }) => pid ?? 0),
  ...file.attesters.map((_, index) => stack.attesterPid(index + 1)),
  ...stack.serverPids(),
];

describe('the distributed stack', () => {
  it('runs every service in its own processes and lists their addresses', async () => {
    const services = stack.services();
    expect(new Set(services.map(({ name }) => name))).toEqual(new Set(SERVICE_NAMES));
    expect(
      services
        .filter(({ replica }) => replica === 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['gateway', 'payment', 'webhook-dispatch']);
    for (const { name, replica, pid, port, operations_port, log_file } of services) {
      expect(commandLine(pid ?? 0)).toContain(`/bundle/${name}.js`);
      expect(await stack.isReady(name, replica)).toBe(true);
      const live = `http://127.0.0.1:${operations_port}/health/live`;
      expect((await fetchOutsideApi(live)).status).toBe(200);
      expect((await fetchOutsideApi(`http://127.0.0.1:${port}/health/live`)).status).toBe(404);
      expect(statSync(log_file).size).toBeGreaterThan(0);
    }
    expect(new Set(services.map(({ pid }) => pid)).size).toBe(services.length);
    expect(file.kafka?.brokers).toEqual([`127.0.0.1:${stack.ports.KAFKA_PORT}`]);
    expect(file.redis?.url).toBe(`redis://127.0.0.1:${stack.ports.REDIS_PORT}`);
  });
});

/** Status of a quote with a revenue share. */
async function quoteWithShare(): Promise<number> {
  const usdc = `alphanet:${file.chains['alphanet']?.tokens['USDC']}`;
  const { status } = await new Api(file.base_url, file.keys.secret).request(
    'POST',
    '/payments/quotes',
    {
      body: {
        request: {
          kind: 'FIXED_INPUT',
          fixed_input_amount: { asset: usdc, amount: '100' },
          output_asset: usdc,
        },
        rev_share_name: 'partner',
      },
    },
  );
  return status;
}

describe('the settings of an organisation', () => {
  it('reach the services through the broker, from an operator’s command', async () => {
    const share = ['--organisation', file.organisation_id, '--name', 'partner'];
    expect(await quoteWithShare()).toBe(400);
    await stack.operator(
      ...['rev-shares', 'create', ...share],
      ...['--receivers', `alphanet:0x${'1'.repeat(40)}=1.5`],
    );
    await eventually(async () => expect(await quoteWithShare()).toBe(200), PATIENCE);
    await stack.operator('rev-shares', 'disable', ...share);
    await eventually(async () => expect(await quoteWithShare()).toBe(400), PATIENCE);
  });
});

/** Ends the processes of an attester and of the solver; the next solver is normal. */
const crashAfterFill: RunningStack['crashAfterFill'] = async () => {
  const { pid } = stack.service('solver');
  const attester = stack.attesterPid(KILLED);
  process.kill(attester, 'SIGKILL');
  await setSolverBehaviour(file, { mode: 'normal', die_after_fill: true });
  return async () => {
    await stack.replaced('solver', 1, pid);
    expect(isAlive(pid)).toBe(false);
    await attesterReplaced(attester);
  };
};

async function attesterReplaced(killed: number): Promise<void> {
  await eventually(
    async () => {
      const pid = stack.attesterPid(KILLED);
      expect(pid).not.toBe(killed);
      expect(isAlive(pid)).toBe(true);
      const url = new URL('/health/ready', file.attesters[KILLED - 1]?.operations_url);
      expect((await fetchOutsideApi(url)).status).toBe(200);
    },
    { timeoutMs: 60_000 },
  );
}

outages(() => ({ stack, file }));

// Withdrawals and deadlines are the same code in either stack: the gate plays them on the embedded one.
crossings(() => ({ file, crashAfterFill }), isLongForm ? ALL_SCENARIOS : [DELIVERIES]);

describe('the distributed stack at its end', () => {
  it('restarts a killed replica while the others respond', async () => {
    const pid = stack.signal('gateway', 1, 'SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await eventually(() => expectAllAnswer());
    await stack.replaced('gateway', 1, pid);
    await eventually(() => expectAllAnswer());
  });

  it('responds while Redis is paused or stopped', async () => {
    process.kill(stack.redisPid(), 'SIGSTOP');
    await eventually(() => expectAllAnswer());
    await stack.restartRedis(async () => {
      await eventually(() => expectAllAnswer());
    });
    await eventually(() => expectAllAnswer());
  });

  it('stops on SIGTERM with nothing left running', async () => {
    const running = processes();
    expect(running.filter(isAlive)).toEqual(running);
    expect(await stack.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(running.filter(isAlive)).toEqual([]);
    expect(stack.stackFile()).toBeNull();
  });
});
