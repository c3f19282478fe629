import { startTestChain, type TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from './checks/index.js';
import type { Finding } from './finding.js';
import { environmentsWith } from './testing/deployment.fixture.js';

const ROOT = join(import.meta.dirname, '../..');

let chain: TestChain;
let folder: string;
const environments = environmentsWith();

beforeAll(async () => {
  chain = await startTestChain();
  folder = mkdtempSync(join(tmpdir(), 'bascule-preflight-'));
  for (const [service, env] of Object.entries(environments)) {
    const lines = Object.entries({ ...env, RPC_URLS_ALPHANET: chain.rpcUrl });
    const text = lines.map(([name, value]) => `${name}=${value ?? ''}\n`).join('');
    writeFileSync(join(folder, `${service}.env`), text);
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await chain.stop();
});

/** Runs the command with nothing but a PATH and the given environment. */
const preflight = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'tools/operator.mjs'), 'preflight', ...args],
      { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });

describe('npm run operator -- preflight', () => {
  it('shows every check of a folder of environments, and prints no secret', async () => {
    const { code, output } = await preflight({}, '--environments', folder, '--json');
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: Finding[] };
    expect(ok).toBe(false);
    const statesOf = (name: string) =>
      new Set(findings.filter(({ check }) => check === name).map(({ state }) => state));
    const found = Object.fromEntries(checks.map(({ name }) => [name, [...statesOf(name)]]));
    expect(found).toMatchObject({
      configuration: ['ok'],
      agreement: ['ok'],
      secrets: ['ok'],
      keys: expect.arrayContaining(['missing']),
      nodes: ['ok'],
      contracts: ['unknown'],
      balances: ['missing'],
      databases: ['wrong'],
      topics: ['unknown'],
    });
    const { payment = {} } = environments;
    expect(output).not.toContain(payment['EXECUTOR_PRIVATE_KEY'] ?? '');
    expect(output).not.toContain(chain.rpcUrl);
  });

  it('ends with zero where all that was asked for is as expected', async () => {
    const only = ['--only', 'configuration,agreement,secrets,nodes'];
    const { code, output, errors } = await preflight({}, '--environments', folder, ...only);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toMatch(/\nEverything is as expected: \d+ findings\.\n$/);
  });

  it('checks the process’s own environment as that of one service', async () => {
    const env = { ...environments['withdrawal'], RPC_URLS_ALPHANET: chain.rpcUrl };
    const args = ['--service', 'withdrawal', '--only', 'configuration,topics,providers'];
    const { code, output, errors } = await preflight(env, ...args);
    expect(code).toBe(1);
    expect(output).toMatch(/\nconfiguration +withdrawal +ok\n/);
    expect(output).toMatch(/\ntopics +withdrawal in the event log of Postgres +cannot tell /);
    expect(errors).toBe('nothing to check: providers\n');
  });

  it('ends with two and the usage where the command line is wrong', async () => {
    const { code, output, errors } = await preflight({}, '--only', 'everything');
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(errors).toMatch(/^preflight: expected checks of configuration, .*, got everything\n/);
    expect(errors).toContain('preflight [--environments FOLDER | --service NAME]');
  });
});
