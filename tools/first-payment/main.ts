import { parseArgs } from 'node:util';
import { runAction } from './action.js';
import { runCrossChain } from './cross-chain.js';
import { runExactOutputs } from './exact-output.js';
import { runLarge } from './large.js';
import { runOnramps } from './onramp.js';
import { runParties } from './parties.js';
import { openStage, type Stage } from './test-user.js';
import { runRecoveries } from './recover.js';
import { runRetries } from './retry.js';
import { runSwaps } from './swap.js';

const FLOWS: Record<string, (stage: Stage) => Promise<unknown>> = {
  swap: runSwaps,
  onramp: runOnramps,
  recover: runRecoveries,
};

/** Run only by name; in the crossings an order stays open for two minutes, and parties need a stack that runs them. */
const NAMED_FLOWS: typeof FLOWS = {
  action: runAction,
  'cross-chain': runCrossChain,
  'exact-output': runExactOutputs,
  large: runLarge,
  parties: runParties,
  retry: runRetries,
};

async function main(): Promise<void> {
  const { positionals: wanted, values } = parseArgs({
    allowPositionals: true,
    options: { provider: { type: 'string' } },
  });
  const all = { ...FLOWS, ...NAMED_FLOWS };
  const unknown = wanted.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    throw new Error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);
  }
  const stage = await openStage(values.provider);
  try {
    const flows = wanted.length === 0 ? FLOWS : all;
    for (const [name, run] of Object.entries(flows)) {
      if (wanted.length === 0 || wanted.includes(name)) await run(stage);
    }
  } finally {
    // A stopped stack has no webhooks left to delete; the earlier error is the one to report.
    await stage.webhooks.close().catch(() => stage.timeline.event('webhook not deleted'));
  }
  process.stdout.write('\nEverything is as it should be.\n');
}

await main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
