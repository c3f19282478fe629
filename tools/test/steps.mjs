import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { ensurePrerequisites } from '../prerequisites.mjs';
import { checkBoundaries } from './boundaries.mjs';
import { root, run, say } from './commands.mjs';
import { forgeCounts, invariantCalls, readForgeReport } from './forge-report.mjs';
import { countsAfter, filesToRunAgain, jestCounts } from './jest-report.mjs';
import { checkSecurityModel } from './security-model.mjs';

const require = createRequire(import.meta.url);
const node = process.execPath;

/** A program of a package, as a path that Node can run. */
function program(packageName, name = packageName) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[name]);
}

/** A check that counts as one test. */
const check = (name, ...args) => ({
  name,
  async run() {
    const { code } = await run(name, node, args);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});

export const projectGraph = check('project graph', 'tools/project-graph.mjs');
export const lint = check('lint', program('eslint'), '.', '--max-warnings', '0');
export const format = check('format', program('prettier'), '--check', '--log-level', 'warn', '.');
export const types = check('types', program('typescript', 'tsc'), '-p', 'tsconfig.spec.json');
export const build = check('build', program('typescript', 'tsc'), '-b', 'tsconfig.json');
export const bindings = check('bindings', 'libs/solidity/scripts/generate.mjs', '--check');

/** Before what runs on a real Kafka and a real Redis. */
export const prerequisites = {
  name: 'prerequisites',
  async run() {
    ensurePrerequisites();
    return { passed: 1, failed: 0 };
  },
};

export const boundaries = {
  name: 'boundaries',
  async run() {
    const results = await checkBoundaries();
    for (const { name, ok, found } of results) {
      say('boundaries', `${ok ? '✓' : '✗'} ${name}${ok ? '' : ` (reported: ${found.join(', ')})`}`);
    }
    const passed = results.filter(({ ok }) => ok).length;
    return { passed, failed: results.length - passed };
  },
};

/** Runs Jest; what it reports is null when it did not get that far. */
async function runJest(project, args, name = project) {
  const report = join(root, `.local/test-reports/${name}.json`);
  mkdirSync(join(report, '..'), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await run(
    project,
    node,
    ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', program('jest')].concat(
      ['--selectProjects', project, '--json', '--outputFile', report],
      args,
    ),
  );
  try {
    return { code, result: JSON.parse(readFileSync(report, 'utf8')) };
  } catch {
    return { code, result: null };
  }
}

/**
 * Tests of real servers share a machine that may stand still for seconds: a file or two that fail run once more, alone,
 * and that is said. What `isExcusable` does not name has one run.
 */
export const jest = (project, args, isExcusable = () => false) => ({
  name: project,
  async run() {
    const first = await runJest(project, args);
    if (first.result === null) return { passed: 0, failed: 1 };
    const files = filesToRunAgain(first.result, isExcusable);
    if (files.length === 0) return jestCounts(first.result, first.code);
    for (const file of files) say(project, `runs again, as it failed: ${relative(root, file)}`);
    const alone = ['--runInBand', '--runTestsByPath', ...files];
    const second = await runJest(project, alone, `${project}-again`);
    if (second.result === null) return jestCounts(first.result, first.code);
    const counts = countsAfter(first.result, second.result, second.code);
    if (counts.failed === 0) {
      for (const file of files) say(project, `UNSTEADY: ${relative(root, file)} passed then`);
    }
    return counts;
  },
});

/** Calls of the handler for each invariant. */
const INVARIANT_CALLS = 100_000;

export const contracts = {
  name: 'contracts',
  async run() {
    const args = ['libs/solidity/scripts/forge.mjs', 'test', '--json'];
    const { code, output } = await run('contracts', node, args, { capture: true });
    return sayForge(code, output);
  },
};

function sayForge(code, output) {
  let suites;
  try {
    suites = readForgeReport(output);
  } catch {
    say('contracts', output);
    return { passed: 0, failed: 1 };
  }
  for (const { suite, tests } of suites) {
    const failures = tests.filter(({ failure }) => failure !== undefined);
    say('contracts', `${failures.length === 0 ? 'PASS' : 'FAIL'} ${suite} (${tests.length})`);
    for (const { name, failure } of failures) say('contracts', `  ✗ ${name}: ${failure}`);
  }
  const { invariants, tooFew } = invariantCalls(suites, INVARIANT_CALLS);
  for (const { name, calls } of invariants) say('contracts', `${name}: ${calls} calls`);
  for (const { name } of tooFew) say('contracts', `✗ ${name}: less than ${INVARIANT_CALLS} calls`);
  return forgeCounts(suites, code, INVARIANT_CALLS);
}

export const gasTable = check('gas table', 'libs/solidity/scripts/gas-table.mjs', '--check');
export const contractCoverage = check('contract coverage', 'libs/solidity/scripts/coverage.mjs');

export const securityModel = {
  name: 'security model',
  async run() {
    const statements = checkSecurityModel();
    const wrong = statements.filter(({ problems }) => problems.length > 0);
    for (const { name, problems } of wrong)
      say('security model', `✗ ${name}: ${problems.join(', ')}`);
    return { passed: statements.length - wrong.length, failed: wrong.length };
  },
};
