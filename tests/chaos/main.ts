import { DistributedStack } from '../testing/distributed-stack.fixture.js';
import { parseOptions } from './options.js';
import { runChaos } from './run.js';

const say = (text: string): unknown => process.stdout.write(`${text}\n`);

/** Runs chaos on its own stack and removes it afterwards. */
async function main(): Promise<boolean> {
  const options = parseOptions(process.argv.slice(2), process.env);
  say(`CHAOS_SEED=${options.seed}: ${options.payments} payments, ${options.kills} kills`);
  const stack = await DistributedStack.create('chaos');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stack.dispose().finally(() => process.exit(1)));
  }
  try {
    const file = await stack.start();
    return await runChaos({ stack, file, log: say }, options);
  } finally {
    await stack.dispose();
  }
}

const holds = await main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return false;
});
say(holds ? '\nEverything held.' : '\nNot everything held.');
process.exitCode = holds ? 0 : 1;
