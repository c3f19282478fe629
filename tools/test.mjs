// Everything that is checked, with one line at the end: `N passed, N failed`.
import removeOrphans from './jest/orphans.mjs';
import { endAll, say } from './test/commands.mjs';
import * as steps from './test/steps.mjs';

const total = { passed: 0, failed: 0 };

async function inTurn(...list) {
  for (const step of list) {
    const started = Date.now();
    say(step.name, 'started');
    const { passed, failed } = await step.run().catch((error) => {
      say(step.name, error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { passed: 0, failed: 1 };
    });
    total.passed += passed;
    total.failed += failed;
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    say(step.name, `${passed} of ${passed + failed} passed (${seconds} s)`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await endAll();
    await removeOrphans();
    process.exit(1);
  });
}

// First of all: the benchmarks' types, and lint by them, are those of built services.
await inTurn(steps.build);
await Promise.all([
  inTurn(steps.projectGraph, steps.lint, steps.boundaries, steps.format),
  inTurn(steps.types, steps.jest('unit', ['--maxWorkers=1'])),
]);
await inTurn(
  steps.bindings,
  steps.contracts,
  steps.gasTable,
  steps.contractCoverage,
  steps.securityModel,
  steps.prerequisites,
  steps.jest('integration', ['--maxWorkers=2'], () => true),
  // Chaos is never the same play twice, so passing again would excuse nothing.
  steps.jest('e2e', ['--runInBand'], (file) => !file.includes('chaos')),
);

console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
