import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensurePrerequisites } from '../prerequisites.mjs';
import { checkBoundaries } from './boundaries.mjs';
import { root, run, say } from './commands.mjs';
import { forgeCounts, invariantCalls, readForgeReport } from './forge-report.mjs';
import { jestCounts } from './jest-report.mjs';
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

export const jest = (project, ...args) => ({
  name: project,
  async run() {
    const report = join(root, `.local/test-reports/${project}.json`);
    mkdirSync(join(report, '..'), { recursive: true });
    rmSync(report, { force: true });
    const { code } = await run(
      project,
      node,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        program('jest'),
      ].concat(['--selectProjects', project, '--json', '--outputFile', report], args),
    );
    try {
      return jestCounts(JSON.parse(readFileSync(report, 'utf8')), code);
    } catch {
      return { passed: 0, failed: 1 };
    }
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
