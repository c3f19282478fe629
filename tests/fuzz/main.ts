// Starts a stack of its own and runs a program against it: `main.ts <program> [arguments with {url}]`.
import { spawn } from 'node:child_process';
import type { StackFile } from '@bascule/composition';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { createResources } from './resources.js';

/** Far more requests than the program sends, and as many tokens as the description allows. */
const NO_LIMITS = {
  PRICES_MAX_TOKENS: '10000',
  RATE_LIMIT_REQUESTS: '100000000',
  RATE_LIMIT_CLIENT_REQUESTS: '100000000',
  RATE_LIMIT_KEYLESS_REQUESTS: '100000000',
};

/** Runs the program with the address, a secret key and resources of the stack; returns its exit code. */
async function main([program = '', ...args]: string[]): Promise<number> {
  const stack = await StackProcess.create('fuzz');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stack.dispose().finally(() => process.exit(1)));
  }
  try {
    return await runProgram(program, args, await stack.start(NO_LIMITS));
  } finally {
    await stack.dispose();
  }
}

async function runProgram(program: string, args: string[], stack: StackFile): Promise<number> {
  const child = spawn(
    program,
    args.map((each) => each.replace('{url}', stack.base_url)),
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        FUZZ_KEY: stack.keys.secret,
        FUZZ_RESOURCES: JSON.stringify(await createResources(stack)),
      },
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));
