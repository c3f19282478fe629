// The steps of `npm test`; each has a name by which it can be run alone.
import { join } from 'node:path';
import { ensurePrerequisites } from '../prerequisites.mjs';
import { checkBoundaries } from './boundaries.mjs';
import { root, run, say } from './commands.mjs';
import { describedEvents, unseenEvents } from './events-seen.mjs';
import { forgeStep } from './forge-step.mjs';
import { jestStep } from './jest-step.mjs';
import { program } from './programs.mjs';
import { checkSecurityModel } from './security-model.mjs';
import { licenceProblems, packageCount } from '../dependencies/licences.mjs';
import { installedLicence, lockedPackages } from '../dependencies/lock-file.mjs';

/** A command that counts as one check. By default it yields to the tests, which wait for servers most of the time. */
const check = (name, args, { needs = [], yields = true } = {}) => ({
  name,
  needs,
  async run() {
    const { code } = await run(name, process.execPath, args, { yields });
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});

/** Steps that others need come first. */
const FIRST = { yields: false };

export const build = check(
  'build',
  [program('@typescript/native', 'tsc'), '-b', 'tsconfig.json'],
  FIRST,
);
export const bundles = check('bundles', ['tools/bundle.mjs'], { ...FIRST, needs: [build] });
// The types of the benchmarks, and lint by them, are those of built services.
export const types = check(
  'types',
  [program('@typescript/native', 'tsc'), '-p', 'tsconfig.spec.json'],
  { needs: [build] },
);
export const projectGraph = check('project-graph', ['tools/project-graph.mjs']);
export const lint = check('lint', [program('eslint'), '.', '--max-warnings', '0'], {
  needs: [build, projectGraph],
});
export const folders = check('folders', ['tools/lint/folders.mjs']);
export const unusedCode = check('unused-code', [
  program('knip'),
  '--no-progress',
  '--no-config-hints',
]);
export const format = check('format', [
  program('prettier'),
  ...['--check', '--log-level', 'warn', '.'],
]);

/** Each installed package has an allowed licence, or an argued exception. */
export const licences = {
  name: 'licences',
  async run() {
    const packages = lockedPackages();
    const problems = licenceProblems(packages, installedLicence);
    for (const problem of problems) say('licences', `✗ ${problem}`);
    return { passed: packageCount(packages) - problems.length, failed: problems.length };
  },
};

export const boundaries = {
  name: 'boundaries',
  needs: [projectGraph],
  async run() {
    const results = await checkBoundaries();
    for (const { name, ok, found } of results) {
      say('boundaries', `${ok ? '✓' : '✗'} ${name}${ok ? '' : ` (reported: ${found.join(', ')})`}`);
    }
    const passed = results.filter(({ ok }) => ok).length;
    return { passed, failed: results.length - passed };
  },
};

/** Installs, where it may, what the tests need for a real Kafka and Redis. Prepares Kafka once for all tests. */
export const prerequisites = {
  name: 'prerequisites',
  async run() {
    ensurePrerequisites({ forTests: true });
    await import('../source-loader.mjs');
    const { prepareKafka } = await import('../../libs/local-stack/src/kafka/start-kafka.ts');
    // Named as the folders of test runs are, so that one left by a killed run is found.
    await prepareKafka(join(root, `.local/test-kafka/run-${process.pid}-archive`));
    return { passed: 1, failed: 0 };
  },
};

/** The released description of the API, and that the comparison finds what breaks clients. */
export const apiChanges = {
  name: 'api-changes',
  needs: [prerequisites],
  async run() {
    const { checkApiChanges } = await import('../openapi/api-changes.mjs');
    const results = await checkApiChanges();
    for (const { name, ok, problems } of results) {
      say('api-changes', `${ok ? '✓' : '✗'} ${name}`);
      if (!ok) for (const problem of problems) say('api-changes', `  ${problem}`);
    }
    const passed = results.filter(({ ok }) => ok).length;
    return { passed, failed: results.length - passed };
  },
};

export const unit = jestStep('unit', {
  projects: ['unit'],
  args: ['--maxWorkers=2'],
});

/** Compiles the contracts for all steps and tests about them but the coverage, which needs other settings. */
export const bindings = check('bindings', ['libs/solidity/scripts/generate.mjs', '--check'], FIRST);

/** End-to-end files that take servers away or kill processes at random: beside them, other tests would time out. */
const DISRUPTING = 'tests/e2e/(chaos|distributed)\\.';

export const integration = jestStep('integration', {
  projects: ['integration'],
  // Most files wait most of the time, so five workers, with those of the end-to-end tests, share two cores.
  args: ['--maxWorkers=3'],
  needs: [bundles, prerequisites],
});

/** Every described event was published by a test, and so was held against the description. */
export const eventsSeen = {
  name: 'events-seen',
  needs: [integration],
  async run() {
    const events = describedEvents();
    const missing = unseenEvents(events);
    for (const type of missing) say('events-seen', `✗ ${type}: published by no integration test`);
    return { passed: events.length - missing.length, failed: missing.length };
  },
};

/** Each file starts stacks of its own; more than two stacks at a time would start too slowly. */
export const e2e = jestStep('e2e', {
  projects: ['e2e'],
  args: ['--maxWorkers=2', '--testPathPatterns', `^(?!.*${DISRUPTING})`],
  // Ports apart from those of the integration tests beside it.
  env: { FREE_PORT_SLICE: '5' },
  needs: [bundles, prerequisites],
});
export const disruption = jestStep('disruption', {
  projects: ['e2e'],
  args: ['--runInBand', '--testPathPatterns', DISRUPTING],
  needs: [bundles, prerequisites],
});

export const contracts = forgeStep('contracts', { needs: [bindings] });
export const gasTable = check('gas-table', ['libs/solidity/scripts/gas-table.mjs', '--check']);
/** A part of `npm run prove`: it compiles the contracts once more, without the optimiser. */
export const contractCoverage = check('contract-coverage', ['libs/solidity/scripts/coverage.mjs']);

export const securityModel = {
  name: 'security-model',
  async run() {
    const statements = checkSecurityModel();
    const wrong = statements.filter(({ problems }) => problems.length > 0);
    for (const { name, problems } of wrong)
      say('security-model', `✗ ${name}: ${problems.join(', ')}`);
    return { passed: statements.length - wrong.length, failed: wrong.length };
  },
};
