import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tool = join(import.meta.dirname, '../operator.mjs');
const places = join(import.meta.dirname, 'local-stack.mjs');

const operator = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
  return { status, stderr };
};

describe('the operator’s command line', () => {
  it('prints every group of commands without arguments', () => {
    const { status, stderr } = operator();
    expect(status).toBe(0);
    for (const command of [
      'organisations create',
      'keys revoke',
      'assets hide ASSET',
      'topics apply',
      'transactions abandon',
      'dead-letters discard',
      'projections rebuild --service NAME',
    ]) {
      expect(stderr).toContain(command);
    }
  });

  it('rejects an unknown group', () => {
    const { status, stderr } = operator('webhook');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^webhook: unknown group of commands\n\nusage: /);
  });
});

describe('the environment beside a stack of this machine', () => {
  const environment = (service: string, files: Record<string, unknown>, env = {}): unknown => {
    const directory = mkdtempSync(join(tmpdir(), 'bascule-operator-'));
    try {
      for (const [name, content] of Object.entries(files)) {
        writeFileSync(join(directory, name), JSON.stringify(content));
      }
      const print = `import { localEnvironment } from ${JSON.stringify(places)};
        console.log(JSON.stringify(localEnvironment(${JSON.stringify(service)})))`;
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', print], {
        encoding: 'utf8',
        env: { STACK_DIRECTORY: directory, ...env },
      });
      return JSON.parse(stdout);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };
  const secrets = { 'secrets.json': { rolePassword: 'kept' } };

  it('uses the database role of the named service, and the name of the deployment', () => {
    expect(environment('webhook-dispatch', secrets)).toEqual({
      DATABASE_URL: 'postgres://bascule_webhook_dispatch:kept@127.0.0.1:54329/postgres',
      ENVIRONMENT: 'development',
    });
    expect(environment('quote', secrets, { POSTGRES_PORT: '1234' })).toEqual({
      DATABASE_URL: 'postgres://bascule_quote:kept@127.0.0.1:1234/postgres',
      ENVIRONMENT: 'development',
    });
  });

  it('has the brokers of the distributed stack', () => {
    const stack = { 'stack.json': { kafka: { brokers: ['127.0.0.1:9092', '127.0.0.1:9093'] } } };
    expect(environment('quote', { ...secrets, ...stack })).toMatchObject({
      KAFKA_BROKERS: '127.0.0.1:9092,127.0.0.1:9093',
    });
  });

  it('keeps explicit variables, and adds none without a stack', () => {
    expect(environment('quote', secrets, { DATABASE_URL: 'postgres://elsewhere/x' })).toEqual({});
    expect(environment('quote', {})).toEqual({});
  });
});
