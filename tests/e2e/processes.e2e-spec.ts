import type { AssetsResponse } from '@bascule/contracts';
import { createFirstKeys } from '@bascule/gateway';
import { EVENT_LOG_SCHEMA, createEventLog } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  loadSecrets,
  parseSettings,
  Progress,
  provisionDatabases,
  SERVICE_NAMES,
  serviceEnvironments,
  type ServiceName,
  startLocalServers,
} from '@bascule/composition';
import { Api } from '../../tools/first-payment/api.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { fetchOutsideApi } from '../testing/outside-api.fixture.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const quiet = new Progress(() => undefined);

/** Programs of a service as a deployment runs them, by path from the root. */
const PROGRAMS = {
  main: (service: ServiceName) => `bundle/${service}.js`,
  migrate: (service: ServiceName) => `apps/${service}/dist/migrate.js`,
};

class ServiceProcess {
  output = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(service: ServiceName, program: keyof typeof PROGRAMS, env: Record<string, string>) {
    this.child = spawn(process.execPath, [join(repository, PROGRAMS[program](service))], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => (this.output += chunk.toString());
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
    this.exited = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

describe('every service as its own process', () => {
  const servers: { stop(): Promise<void> }[] = [];
  const services = new Map<ServiceName, ServiceProcess>();
  let environments: Record<ServiceName, Record<string, string>>;
  let stack: StackProcess;
  const url = (service: ServiceName, path: string) =>
    `http://127.0.0.1:${environments[service]['PORT']}${path}`;
  const operations = (service: ServiceName, path: string) =>
    `http://127.0.0.1:${environments[service]['OPERATIONS_PORT']}${path}`;

  beforeAll(async () => {
    stack = await StackProcess.create('processes');
    const { directory, environment } = stack;
    mkdirSync(directory, { recursive: true });
    const settings = parseSettings(environment);
    const secrets = loadSecrets(settings.paths.secretsFile);
    const local = await startLocalServers(settings, secrets.postgresPassword, quiet, servers);
    environments = serviceEnvironments(settings, secrets, local);
    await createEventLog(local.adminUrl);
    await provisionDatabases(local.adminUrl, SERVICE_NAMES, secrets.rolePassword, [
      EVENT_LOG_SCHEMA,
    ]);
  });
  afterAll(async () => {
    for (const service of services.values()) service.kill('SIGKILL');
    await Promise.all(servers.map((server) => server.stop()));
    await stack.dispose();
  });

  it('migrates its schema repeatedly', async () => {
    for (const _ of ['first', 'again']) {
      const migrations = SERVICE_NAMES.map((name) => {
        const migration = new ServiceProcess(name, 'migrate', environments[name]);
        return migration.exited.then((code) => ({ name, code, output: migration.output }));
      });
      const failed = (await Promise.all(migrations)).filter(({ code }) => code !== 0);
      expect(failed).toEqual([]);
    }
  });

  it('lists every problem of its environment and exits', async () => {
    for (const name of SERVICE_NAMES) {
      const service = new ServiceProcess(name, 'main', { PORT: 'seven' });
      expect(await service.exited).toBe(1);
      expect(service.output).toContain('PORT');
      expect(service.output).toContain('DATABASE_URL');
    }
  });

  it('becomes ready, is live and exposes its metrics', async () => {
    for (const name of SERVICE_NAMES) {
      services.set(name, new ServiceProcess(name, 'main', environments[name]));
    }
    for (const name of SERVICE_NAMES) {
      await eventually(
        async () => {
          const ready = await fetchOutsideApi(operations(name, '/health/ready'));
          expect({ name, status: ready.status, body: await ready.text() }).toMatchObject({
            status: 200,
          });
        },
        { timeoutMs: 120_000 },
      );
      expect((await fetchOutsideApi(operations(name, '/health/live'))).status).toBe(200);
      expect((await fetchOutsideApi(url(name, '/metrics'))).status).toBe(404);
      expect(await (await fetchOutsideApi(operations(name, '/metrics'))).text()).toContain(
        'process_cpu',
      );
    }
  });

  it('responds through the gateway', async () => {
    const keys = await createFirstKeys(environments.gateway, {
      organisation: 'Processes',
      label: 'first',
      actor: 'test',
    });
    const assets = await new Api(url('gateway', '/'), keys.secret).get<AssetsResponse>('/assets');
    expect(Object.keys(assets)).toContain('usd');
  });

  it('completes started work on SIGTERM and exits', async () => {
    const ends = [...services].map(async ([name, service]) => {
      service.kill('SIGTERM');
      return { name, code: await service.exited };
    });
    expect((await Promise.all(ends)).filter(({ code }) => code !== 0)).toEqual([]);
  });
});
