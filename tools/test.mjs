// Runs every check, or those that the arguments name (steps, files, folders). The last line is `N passed, N failed`.
import removeOrphans from './jest/orphans.mjs';
import { endAll, say } from './test/commands.mjs';
import { slowestFiles } from './test/jest-step.mjs';
import { Runner } from './test/runner.mjs';
import { selectSteps } from './test/selection.mjs';
import * as steps from './test/steps.mjs';

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await endAll();
    await removeOrphans();
    process.exit(1);
  });
}

const runner = new Runner();
const selected = process.argv.slice(2);

if (selected.length > 0) {
  await runner.inTurn(...selectSteps(selected));
} else {
  // What needs a core for itself first, so that the tests with servers start with everything compiled.
  await runner.sideBySide(
    [steps.build, steps.bundles, steps.unit],
    [steps.bindings],
    [steps.prerequisites],
  );
  await runner.sideBySide(
    // The last integration tests and the outages are waited for most of the time; the checks yield to them.
    [
      ...[steps.e2e, steps.types, steps.projectGraph, steps.boundaries, steps.folders],
      ...[steps.unusedCode, steps.lint, steps.format, steps.securityModel],
      ...[steps.contracts, steps.gasTable],
    ],
    // Outages would fail other end-to-end tests.
    [steps.integration, steps.e2e, steps.disruption],
  );
}

for (const line of await runner.summary()) say('summary', line);
for (const line of slowestFiles()) say('slowest files', line);
const { passed, failed } = await runner.total();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
