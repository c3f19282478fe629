// End-to-end tests in their long form, and chaos with more kills than any test has.
import { root, run } from '../test/commands.mjs';
import { jestStep } from '../test/jest-step.mjs';
import { bundles, prerequisites } from '../test/steps.mjs';
import { Runner } from '../test/runner.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Steps before those that start a stack. */
const STACKS = [bundles, prerequisites];

/** Runs one end-to-end file with `PROVE_LONG=1`. */
export async function runLongForm(name, file) {
  process.env.PROVE_LONG = '1';
  return inTurn(
    ...STACKS,
    jestStep(name, { projects: ['e2e'], args: ['--runInBand', '--runTestsByPath', file] }),
  );
}

/** Runs one unit test file with `PROVE_LONG=1`. */
export const runLongUnit = (name, file) => runLongTest(name, 'unit', file);

/** Runs one integration test file with `PROVE_LONG=1`. */
export const runLongIntegration = (name, file) => runLongTest(name, 'integration', file);

async function runLongTest(name, project, file) {
  process.env.PROVE_LONG = '1';
  return inTurn(
    jestStep(name, { projects: [project], args: ['--runInBand', '--runTestsByPath', file] }),
  );
}

/** Runs all unit tests so many times, each time with other random cases, except those of files with their own parts. */
export async function runWithNewSeeds(name, times, exceptFiles) {
  process.env.PROVE_LONG = '1';
  const steps = Array.from({ length: times }, (_, index) =>
    jestStep(`${name} ${index + 1}`, {
      projects: ['unit'],
      args: ['--testPathIgnorePatterns', '/node_modules/', '/dist/', ...exceptFiles],
    }),
  );
  return inTurn(...steps);
}

/** Runs `npm run chaos` with so many kills. */
export async function runChaos(name, kills) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const command = scripts.chaos.split(' ').slice(1);
  return inTurn(...STACKS, {
    name,
    async run() {
      const { code } = await run(name, process.execPath, [...command, '--kills', String(kills)]);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    },
  });
}

/** Runs a part that starts a stack, after what a stack needs. */
export const onStacks = (name, run) => inTurn(...STACKS, { name, run });

async function inTurn(...steps) {
  const runner = new Runner();
  await runner.inTurn(...steps);
  return runner.total();
}
