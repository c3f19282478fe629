import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensurePrerequisites } from '../prerequisites.mjs';
import { checkBoundaries } from './boundaries.mjs';
import { root, run, say } from './commands.mjs';

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

/** Skipped tests count as failed: nobody looks at them otherwise. */
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
    return jestCounts(report, code);
  },
});

function jestCounts(report, code) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const failed =
    result.numFailedTests +
    result.numPendingTests +
    result.numTodoTests +
    result.numRuntimeErrorTestSuites;
  // A run can also fail without a failing test, for example in its set-up.
  return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
}

export const contracts = {
  name: 'contracts',
  async run() {
    const args = ['libs/solidity/scripts/forge.mjs', 'test', '--json'];
    const { code, output } = await run('contracts', node, args, { capture: true });
    return forgeCounts(code, output);
  },
};

function forgeCounts(code, output) {
  let suites;
  try {
    suites = Object.entries(JSON.parse(output.slice(output.indexOf('{'))));
  } catch {
    say('contracts', output);
    return { passed: 0, failed: 1 };
  }
  let passed = 0;
  let failed = 0;
  for (const [suite, { test_results: tests }] of suites) {
    const entries = Object.entries(tests);
    const failures = entries.filter(([, { status }]) => status !== 'Success');
    passed += entries.length - failures.length;
    failed += failures.length;
    say('contracts', `${failures.length === 0 ? 'PASS' : 'FAIL'} ${suite} (${entries.length})`);
    for (const [test, { reason }] of failures) say('contracts', `  ✗ ${test}: ${reason ?? ''}`);
  }
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
