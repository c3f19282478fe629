// Runs every check, or those that the arguments name (steps, files, folders). The last line is `N passed, N failed`.
import removeOrphans from './jest/orphans.mjs';
import { endAll, say } from './test/commands.mjs';
import { failedTestLines, slowestFiles } from './test/jest-step.mjs';
import { runAll } from './test/order.mjs';
import { Runner } from './test/runner.mjs';
import { selectSteps } from './test/selection.mjs';

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
  await runAll(runner);
}

for (const line of failedTestLines()) say('failed', line);
for (const line of await runner.summary()) say('summary', line);
for (const line of slowestFiles()) say('slowest files', line);
const { passed, failed } = await runner.total();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
