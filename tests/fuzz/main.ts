// Starts a stack of its own and runs a program against it: `main.ts <program> [arguments with {url}]`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackFile } from '@bascule/composition';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { createResources } from './resources.js';
import { unreachedOperations, type Statuses } from './unreached.js';

/** Far more requests than the program sends, and as many tokens as the description allows. */
const NO_LIMITS = {
  PRICES_MAX_TOKENS: '10000',
  RATE_LIMIT_REQUESTS: '100000000',
  RATE_LIMIT_CLIENT_REQUESTS: '100000000',
  RATE_LIMIT_KEYLESS_REQUESTS: '100000000',
  MAX_QUOTES_PER_SECOND: '100000',
  MAX_UNFUNDED_PAYMENTS: '100000',
  MAX_UNSIGNED_WITHDRAWALS: '100000',
  MAX_WEBHOOKS_PER_ORGANISATION: '1000',
};

/** Examples of each operation for the publishable key, whose refusals the secret key does not meet. */
const PUBLISHABLE_EXAMPLES = ['--max-examples', '10', '--phases', 'examples,fuzzing'];

/** Runs the program with each kind of key; returns 0 if it succeeded and every operation was reached. */
async function main([program = '', ...args]: string[]): Promise<number> {
  const stack = await StackProcess.create('fuzz');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stack.dispose().finally(() => process.exit(1)));
  }
  try {
    const file = await stack.start(NO_LIMITS);
    const codes = [
      await runWithKey(program, args, file, 'secret'),
      await runWithKey(program, [...args, ...PUBLISHABLE_EXAMPLES], file, 'publishable'),
    ];
    return Math.max(...codes);
  } finally {
    await stack.dispose();
  }
}

/** Gives the program the address, a key and resources that it may use up. */
async function runWithKey(
  program: string,
  args: string[],
  stack: StackFile,
  kind: 'secret' | 'publishable',
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const file = join(folder, 'statuses.json');
  try {
    const code = await runProgram(
      program,
      args.map((each) => each.replace('{url}', stack.base_url)),
      {
        FUZZ_KEY: stack.keys[kind],
        FUZZ_RESOURCES: JSON.stringify(await createResources(stack)),
        FUZZ_STATUSES: file,
      },
    );
    const statuses = JSON.parse(readFileSync(file, 'utf8')) as Statuses;
    const described = (await (await fetch(`${stack.base_url}/openapi.json`)).json()) as Parameters<
      typeof unreachedOperations
    >[0];
    const unreached = unreachedOperations(described, statuses, kind === 'publishable');
    for (const problem of unreached) process.stderr.write(`${kind} key: ${problem}\n`);
    return unreached.length > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runProgram(
  program: string,
  args: string[],
  environment: Record<string, string>,
): Promise<number> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));
