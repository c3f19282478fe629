import { playCrossChain } from './cross-chain.js';
import { playOnramps } from './onramp.js';
import { openStage, type Stage } from './player.js';
import { playRecoveries } from './recover.js';
import { playSwaps } from './swap.js';

const FLOWS: Record<string, (stage: Stage) => Promise<void>> = {
  swap: playSwaps,
  onramp: playOnramps,
  recover: playRecoveries,
};

/** Played only when they are asked for: an order stays open for two minutes. */
const NAMED_FLOWS: typeof FLOWS = { 'cross-chain': playCrossChain };

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const all = { ...FLOWS, ...NAMED_FLOWS };
  const unknown = wanted.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    throw new Error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);
  }
  const stage = await openStage();
  try {
    const played = wanted.length === 0 ? FLOWS : all;
    for (const [name, play] of Object.entries(played)) {
      if (wanted.length === 0 || wanted.includes(name)) await play(stage);
    }
  } finally {
    // A stack that has gone away takes its webhooks along; what went wrong before is what counts.
    await stage.webhooks.close().catch(() => stage.timeline.event('webhook not deleted'));
  }
  process.stdout.write('\nEverything is as it should be.\n');
}

await main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
