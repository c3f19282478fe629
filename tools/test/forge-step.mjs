import { run, say } from './commands.mjs';
import { forgeCounts, invariantCalls, readForgeReport } from './forge-report.mjs';

/** Calls of the handler during which the invariant must have held: runs × depth of foundry.toml. */
const INVARIANT_CALLS = 25_000;

/** @param path of the tests to run, relative to libs/solidity; all of them when not given */
export const forgeStep = (name, { path, needs = [] } = {}) => ({
  name,
  needs,
  async run() {
    const selection = path === undefined ? [] : ['--match-path', path];
    const args = ['libs/solidity/scripts/forge.mjs', 'test', '--json', ...selection];
    const { code, output } = await run(name, process.execPath, args, {
      capture: true,
      yields: true,
    });
    // A selection need not hold the invariant.
    return report(name, code, output, path === undefined ? INVARIANT_CALLS : 0);
  },
});

function report(step, code, output, calls) {
  let suites;
  try {
    suites = readForgeReport(output);
  } catch {
    say(step, output);
    return { passed: 0, failed: 1 };
  }
  for (const { suite, tests } of suites) {
    const failures = tests.filter(({ failure }) => failure !== undefined);
    say(step, `${failures.length === 0 ? 'PASS' : 'FAIL'} ${suite} (${tests.length})`);
    for (const { name, failure } of failures) say(step, `  ✗ ${name}: ${failure}`);
  }
  const { invariants, tooFew } = invariantCalls(suites, calls);
  for (const invariant of invariants) say(step, `${invariant.name}: ${invariant.calls} calls`);
  for (const { name } of tooFew) say(step, `✗ ${name}: fewer than ${calls} calls`);
  return forgeCounts(suites, code, calls);
}
