import { run, say } from '../test/commands.mjs';
import { invariantCalls, readForgeReport } from '../test/forge-report.mjs';

const STEP = 'invariants';
/** Of the handler, for each invariant. */
const CALLS = 1_000_000;
/** As foundry.toml says. */
const DEPTH = 50;

export async function proveInvariants() {
  const args = ['libs/solidity/scripts/forge.mjs', 'test', '--json'];
  const { output } = await run(
    STEP,
    process.execPath,
    [...args, '--match-path', 'test/invariants/*'],
    {
      capture: true,
      env: { FOUNDRY_INVARIANT_RUNS: String(CALLS / DEPTH) },
    },
  );
  const { invariants, tooFew } = invariantCalls(readForgeReport(output), CALLS);
  for (const { name, calls, failure } of invariants) {
    say(STEP, `${failure === undefined ? '✓' : '✗'} ${name}: ${calls} calls ${failure ?? ''}`);
  }
  for (const { name } of tooFew) say(STEP, `✗ ${name}: less than ${CALLS} calls`);
  const broken = new Set([...tooFew, ...invariants.filter(({ failure }) => failure !== undefined)]);
  const failed = invariants.length === 0 ? 1 : broken.size;
  return { passed: invariants.length - broken.size, failed };
}
