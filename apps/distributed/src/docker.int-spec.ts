import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { composeDown, composeRemove, composeUp, dockerRuns } from './docker.js';
import { parseDistributedSettings } from './settings.config.js';

const { PATH } = process.env;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bascule-docker-'));
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(directory, { recursive: true });
});

/** A machine with this `docker` on it, or none. */
function machineWith(script?: string): void {
  process.env.PATH = directory;
  if (script === undefined) return;
  writeFileSync(join(directory, 'docker'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, 'docker'), 0o755);
}

describe('the choice of containers for the servers', () => {
  it.each<[string, boolean, string | undefined]>([
    ['yes, with a running daemon', true, 'exit 0'],
    ['no, without docker', false, undefined],
    ['no, without a running daemon', false, '[ "$1" != info ]'],
    ['no, without docker compose', false, '[ "$1" != compose ]'],
  ])('%s', async (_what, expected, script) => {
    machineWith(script);
    expect(await dockerRuns()).toBe(expected);
  });
});

it('compose receives the ports of the stack and one project per directory', async () => {
  const log = join(directory, 'log');
  machineWith(`echo "$* $POSTGRES_PORT $POSTGRES_PASSWORD $KAFKA_PORT $REDIS_PORT" >> ${log}`);
  const settings = (STACK_DIRECTORY: string) =>
    parseDistributedSettings({ STACK_DIRECTORY, KAFKA_PORT: '5001', REDIS_PORT: '5002' });
  await composeUp(settings('/one'), 'correct horse');
  await composeDown(settings('/one'));
  await composeRemove(settings('/two'));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines[0]).toMatch(/^compose --project-name bascule-\w{8} --file /);
  expect(lines[0]).toContain(
    ` --file ${resolve('docker/compose.yaml')} up --detach --wait 54329 correct horse 5001 5002`,
  );
  expect(lines[1]).toMatch(/ down --timeout 8 /);
  expect(lines[2]).toMatch(/ down --timeout 8 --volumes /);
  const [one, again, two] = lines.map((line) => line.split(' ')[2]);
  expect(again).toBe(one);
  expect(two).not.toBe(one);
});

interface ComposeFile {
  services: Record<
    string,
    {
      image: string;
      ports: string[];
      volumes?: string[];
      environment?: Record<string, string | number>;
      healthcheck: { test: string[] };
    }
  >;
  volumes: Record<string, null>;
}

describe('docker/compose.yaml', () => {
  const path = new URL('../../../docker/compose.yaml', import.meta.url);
  const file = parse(readFileSync(path, 'utf8')) as ComposeFile;

  it('has the servers of a deployment in the tested versions', () => {
    const images = Object.fromEntries(
      Object.entries(file.services).map(([name, { image }]) => [name, image]),
    );
    expect(images).toEqual({
      postgres: expect.stringMatching(/^postgres:18\.\d+$/),
      kafka: expect.stringMatching(/^apache\/kafka:4\.\d+\.\d+$/),
      redis: expect.stringMatching(/^redis:\d+\.\d+$/),
    });
  });

  it('has a health check for each server and publishes ports on loopback only', () => {
    for (const { ports, healthcheck } of Object.values(file.services)) {
      expect(healthcheck.test[0]).toBe('CMD');
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z]+_PORT:-\d+\}:/);
    }
  });

  it('defaults to the ports of the stack', () => {
    const text = readFileSync(path, 'utf8');
    const { postgres, kafka, redis } = parseDistributedSettings({});
    expect(new Set(text.match(/\$\{\w+_PORT:-\d+\}/g))).toEqual(
      new Set([
        `\${POSTGRES_PORT:-${postgres.port}}`,
        `\${KAFKA_PORT:-${kafka.port}}`,
        `\${REDIS_PORT:-${redis.port}}`,
      ]),
    );
  });

  it('disables automatic topics and keeps data across restarts', () => {
    expect(file.services['kafka']?.environment).toMatchObject({
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    });
    const kept = Object.values(file.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0]),
    );
    expect(new Set(kept)).toEqual(new Set(Object.keys(file.volumes)));
  });
});
