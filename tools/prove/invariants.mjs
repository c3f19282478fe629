import { availableParallelism } from 'node:os';
import { run, say } from '../test/commands.mjs';
import { invariantCalls, readForgeReport } from '../test/forge-report.mjs';

const STEP = 'invariants';
/** Of the handler, for each invariant. */
const CALLS = 1_000_000;
/** As foundry.toml says. */
const DEPTH = 50;

const forge = (...args) =>
  run(STEP, process.execPath, ['libs/solidity/scripts/forge.mjs', ...args], {
    capture: true,
    env: { FOUNDRY_INVARIANT_RUNS: String(CALLS / DEPTH) },
  });

/** Each in a process of its own, so that what was proven is told as soon as it is. */
export async function proveInvariants() {
  await forge('build');
  const queue = await listInvariants();
  const total = { passed: 0, failed: queue.length === 0 ? 1 : 0 };
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) {
      say(STEP, `${name}: started`);
      const { passed, failed } = await prove(name);
      total.passed += passed;
      total.failed += failed;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return total;
}

async function listInvariants() {
  const { output } = await forge('test', '--list', '--json', '--match-test', '^invariant_');
  const suites = Object.values(JSON.parse(output.slice(output.indexOf('{'))));
  return suites.flatMap((contracts) => Object.values(contracts).flat());
}

/** Whether this is the report of one invariant, which held for as many calls as it should. */
export function isProven(suites, calls) {
  const { invariants, tooFew } = invariantCalls(suites, calls);
  return invariants.length === 1 && tooFew.length === 0 && invariants[0].failure === undefined;
}

async function prove(name) {
  const { output } = await forge('test', '--json', '--match-test', `^${name}\\(`);
  const suites = readForgeReport(output);
  const { invariants, tooFew } = invariantCalls(suites, CALLS);
  for (const { calls, failure } of invariants) {
    say(STEP, `${failure === undefined ? '✓' : '✗'} ${name}: ${calls} calls ${failure ?? ''}`);
  }
  if (tooFew.length > 0) say(STEP, `✗ ${name}: less than ${CALLS} calls`);
  return isProven(suites, CALLS) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
