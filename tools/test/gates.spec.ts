// Each gate must refuse something here: one that always passes would go unnoticed.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface Suite {
  suite: string;
  tests: { name: string; failure?: string | undefined; calls?: number | undefined }[];
}
interface Counts {
  passed: number;
  failed: number;
}

const { checkSecurityModel } = (await import(`${import.meta.dirname}/security-model.mjs`)) as {
  checkSecurityModel: (
    text?: string,
    tests?: ReadonlySet<string>,
  ) => { name: string; problems: string[] }[];
};
const { forgeCounts, invariantCalls, readForgeReport } = (await import(
  `${import.meta.dirname}/forge-report.mjs`
)) as {
  forgeCounts: (suites: Suite[], code: number, atLeast: number) => Counts;
  invariantCalls: (
    suites: Suite[],
    atLeast: number,
  ) => { invariants: Suite['tests']; tooFew: Suite['tests'] };
  readForgeReport: (output: string) => Suite[];
};
interface JestResult {
  testResults: { name: string; startTime: number; endTime: number }[];
}
interface FailedFile {
  name: string;
  status: string;
  message: string;
  assertionResults: {
    ancestorTitles: string[];
    title: string;
    status: string;
    failureMessages: string[];
  }[];
}
const { failedTests, firstLines, jestCounts, secondsOfFiles, slowest } = (await import(
  `${import.meta.dirname}/jest-report.mjs`
)) as {
  failedTests: (result: { testResults: FailedFile[] }, root: string) => string[];
  firstLines: (lines: string[], count: number) => string[];
  jestCounts: (result: Record<string, number>, code: number) => Counts;
  secondsOfFiles: (result: JestResult) => Record<string, number>;
  slowest: (seconds: Record<string, number>, count: number) => [string, number][];
};
interface Step {
  name: string;
  needs?: Step[];
  run: () => Promise<Counts>;
}
const { runAll } = (await import(`${import.meta.dirname}/order.mjs`)) as {
  runAll: (runner: { sideBySide: (...lists: Step[][]) => Promise<void> }) => Promise<void>;
};
const { Runner } = (await import(`${import.meta.dirname}/runner.mjs`)) as {
  Runner: new (report: (step: string, line: string) => void) => {
    inTurn: (...steps: Step[]) => Promise<void>;
    sideBySide: (...lists: Step[][]) => Promise<void>;
    total: () => Promise<Counts>;
    summary: () => Promise<string[]>;
  };
};
const { byName, selectSteps } = (await import(`${import.meta.dirname}/selection.mjs`)) as {
  byName: Record<string, Step>;
  selectSteps: (args: string[]) => Step[];
};
const { longestFirst } = (await import(`${import.meta.dirname}/../jest/longest-first.mjs`)) as {
  longestFirst: (
    paths: string[],
    measured?: Record<string, number>,
    weights?: Record<string, number>,
  ) => string[];
};
const { run } = (await import(`${import.meta.dirname}/commands.mjs`)) as {
  run: (
    step: string,
    command: string,
    args: string[],
    options?: { capture?: boolean },
  ) => Promise<{ code: number; output: string }>;
};
const { uncovered } = (await import(
  `${import.meta.dirname}/../../libs/solidity/scripts/coverage.mjs`
)) as { uncovered: (lcov: string) => string[] };

const { aboveTargets } = (await import(
  `${import.meta.dirname}/../../libs/solidity/scripts/gas-targets.mjs`
)) as {
  aboveTargets: (
    gas: Record<string, number>,
    argued: Record<string, { atMost: number; because: string }>,
    rows: [name: string, target?: number][],
  ) => string[];
};

describe('the security model', () => {
  const tests = new Set(['WalletTest.test_pays', 'InvariantsTest.invariant_sums']);
  const problems = (text: string) =>
    checkSecurityModel(text, tests).flatMap((statement) => statement.problems);

  it('is refused when a statement names no test', () => {
    expect(problems('# Title\n\n- It pays.\n')).toEqual(['names no test']);
  });

  it('is refused when a statement names a missing test', () => {
    const text = '- It pays. [`WalletTest.test_pays`, `WalletTest.testFuzz_paysMore`]';
    expect(problems(text)).toEqual(['no test WalletTest.testFuzz_paysMore']);
    expect(problems('- It pays. [`OtherTest.test_pays`]')).toEqual(['no test OtherTest.test_pays']);
  });

  it('is refused when a row of a table or a paragraph names no test', () => {
    const table = (row: string) => `| Assumption | Shown by |\n| --- | :-: |\n| ${row} |\n`;
    expect(problems(table('Slippage | by reading'))).toEqual(['names no test']);
    expect(problems(table('Slippage | `WalletTest.test_pays`'))).toEqual([]);
    expect(problems('It pays.')).toEqual(['names no test']);
    expect(problems('It pays. [`WalletTest.test_pays`]')).toEqual([]);
  });

  it('is refused when a Jest test or its file is missing', () => {
    const missing = 'tools/test/gates.spec.ts: is not there';
    expect(problems(`- It pays. [\`${missing}\`]`)).toEqual([`no test ${missing}`]);
    const nowhere = 'tools/test/nowhere.int-spec.ts: passes when every test did';
    expect(problems(`- It pays. [\`${nowhere}\`]`)).toEqual([`no test ${nowhere}`]);
    const group = 'tools/test/gates.spec.ts: the security model';
    expect(problems(`- It pays. [\`${group}\`]`)).toEqual([`no test ${group}`]);
    const there = 'tools/test/gates.spec.ts: passes when every test did';
    expect(problems(`- It pays. [\`${there}\`]`)).toEqual([]);
  });

  it('is refused when it states nothing', () => {
    expect(problems('# Title\n\nWho can do what:\n')).toEqual(['makes no statement']);
  });

  it('passes with existing tests', () => {
    const text = '- It pays. [`WalletTest.test_pays`]\n- Sums. [`InvariantsTest.invariant_sums`]\n';
    expect(problems(text)).toEqual([]);
  });

  it('is checked against the tests of the contracts', () => {
    const statement = '- It pays. [`OneTimeWalletExecuteTest.test_refusesASecondTime`]';
    expect(checkSecurityModel(statement)).toMatchObject([{ problems: [] }]);
    expect(checkSecurityModel(statement.replace('Second', 'Third'))).toMatchObject([
      { problems: ['no test OneTimeWalletExecuteTest.test_refusesAThirdTime'] },
    ]);
  });
});

describe('the coverage of the contracts', () => {
  const wallet = (...lines: string[]) =>
    ['SF:contracts/Wallet.sol', ...lines, 'end_of_record', ''].join('\n');

  it.each([
    ['a line', 'DA:7,0', 'contracts/Wallet.sol:7 is not run'],
    ['a branch', 'BRDA:8,0,1,0', 'contracts/Wallet.sol:8 has a branch that is not taken'],
    ['a branch never reached', 'BRDA:9,0,1,-', 'contracts/Wallet.sol:9 has a branch'],
    ['a function', 'FNDA:0,Wallet.pay', 'contracts/Wallet.sol: Wallet.pay is not called'],
  ])('is refused when %s is not covered', (_what, line, message) => {
    const [found, ...others] = uncovered(wallet('DA:1,3', line));
    expect(found).toContain(message);
    expect(others).toEqual([]);
  });

  it('is refused when it has no contract', () => {
    expect(uncovered('')).toHaveLength(1);
    expect(uncovered(wallet().replace('contracts/', 'test/'))).toHaveLength(1);
  });

  it('passes when every contract is covered, ignoring test files', () => {
    const test = 'SF:test/Wallet.t.sol\nDA:1,0\nend_of_record\n';
    expect(uncovered(wallet('FNDA:1,Wallet.pay', 'DA:7,10', 'BRDA:8,0,1,2') + test)).toEqual([]);
  });
});

describe('the gas of transactions', () => {
  const rows: [string, number?][] = [['transfer'], ['leg', 85_000]];
  const because = 'of the second account';
  const costs = (leg: number, argued: Record<string, { atMost: number; because: string }> = {}) =>
    aboveTargets({ transfer: 34_335, leg }, argued, rows);

  it('passes up to its target, or up to its argued limit', () => {
    expect(costs(85_000)).toEqual([]);
    expect(costs(90_055, { leg: { atMost: 90_055, because } })).toEqual([]);
  });

  it.each([
    ['it is above its target', costs(85_001), 'leg: costs 85,001, and may cost 85,000'],
    [
      'it is above its argued limit',
      costs(90_056, { leg: { atMost: 90_055, because } }),
      'leg: costs 90,056, and may cost 90,055',
    ],
    [
      'the argument has no reason',
      costs(90_055, { leg: { atMost: 90_055, because: '' } }),
      'leg: costs 90,055, and may cost 85,000',
    ],
    [
      'an argued transaction is no longer above its target',
      costs(85_000, { leg: { atMost: 90_055, because } }),
      'leg: argued, but not above a target',
    ],
    [
      'an argued transaction has no target',
      costs(1, { transfer: { atMost: 34_335, because } }),
      'transfer: argued, but not above a target',
    ],
    ['it was not measured', aboveTargets({ transfer: 1 }, {}, rows), 'leg: was not measured'],
  ])('fails when %s', (_what, problems, message) => {
    expect(problems).toEqual([message]);
  });
});

describe('the report of forge', () => {
  const said = (results: object) =>
    `Compiling…\n${JSON.stringify({ 'test/A.t.sol:ATest': { test_results: results } })}`;
  const held = { status: 'Success', reason: null, kind: { Invariant: { calls: 100 } } };
  const passed = { status: 'Success', reason: null, kind: { Unit: { gas: 1 } } };
  const count = (results: object, code = 0) =>
    forgeCounts(readForgeReport(said(results)), code, 100);

  it('passes when every test did and every invariant had enough calls', () => {
    expect(count({ 'test_a()': passed, 'invariant_b()': held })).toEqual({ passed: 2, failed: 0 });
  });

  it.each([
    ['a test failed', { ...passed, status: 'Failure', reason: 'reverted' }],
    ['a test was skipped', { ...passed, status: 'Skipped' }],
  ])('is a failure when %s', (_what, result) => {
    expect(count({ 'test_a()': result, 'invariant_b()': held })).toEqual({ passed: 1, failed: 1 });
  });

  it('gives the reason of a failed test', () => {
    const report = said({ 'test_a()': { ...passed, status: 'Failure', reason: 'reverted' } });
    expect(readForgeReport(report)).toMatchObject([
      { suite: 'test/A.t.sol:ATest', tests: [{ name: 'test_a()', failure: 'reverted' }] },
    ]);
  });

  it('is a failure when an invariant had too few calls', () => {
    const seldom = { ...held, kind: { Invariant: { calls: 99 } } };
    const results = { 'invariant_b()': held, 'invariant_c()': seldom };
    expect(count(results).failed).toBe(1);
    const { invariants, tooFew } = invariantCalls(readForgeReport(said(results)), 100);
    expect(invariants).toHaveLength(2);
    expect(tooFew).toMatchObject([{ name: 'invariant_c()', calls: 99 }]);
  });

  it('checks the invariant after every tenth call', () => {
    const settings = readFileSync(
      `${import.meta.dirname}/../../libs/solidity/foundry.toml`,
      'utf8',
    );
    expect(settings).toMatch(/^invariant = .*\bcheck_interval = 10\b/m);
  });

  it('is a failure when there was no invariant, or nothing at all', () => {
    expect(count({ 'test_a()': passed })).toEqual({ passed: 1, failed: 1 });
    expect(forgeCounts([], 0, 100)).toEqual({ passed: 0, failed: 1 });
  });

  it('is a failure when forge failed for another reason', () => {
    expect(count({ 'invariant_b()': held }, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('is refused when forge did not report', () => {
    expect(() => readForgeReport('Error: compiler run failed')).toThrow();
  });
});

describe('the report of jest', () => {
  const good = {
    numPassedTests: 5,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
  };

  it('passes when every test did', () => {
    expect(jestCounts(good, 0)).toEqual({ passed: 5, failed: 0 });
  });

  it.each(['numFailedTests', 'numPendingTests', 'numTodoTests', 'numRuntimeErrorTestSuites'])(
    'is a failure with %s',
    (name) => {
      expect(jestCounts({ ...good, [name]: 2 }, 0)).toEqual({ passed: 5, failed: 2 });
    },
  );

  it('is a failure when jest failed for another reason', () => {
    expect(jestCounts(good, 1)).toEqual({ passed: 5, failed: 1 });
  });

  describe('on failures', () => {
    const test = (title: string, status: string, ...failureMessages: string[]) => ({
      ...{ ancestorTitles: ['a sum', 'of two'], title, status, failureMessages },
    });
    const named = (assertionResults: FailedFile['assertionResults'], message = '') => {
      const hasPassed =
        message === '' && assertionResults.every((each) => each.status === 'passed');
      const status = hasPassed ? 'passed' : 'failed';
      const file = { name: '/root/apps/a.spec.ts', status, message, assertionResults };
      return failedTests({ testResults: [file] }, '/root');
    };

    it('names the tests that did not pass, with their messages in one line', () => {
      const message = '\u001B[31mError: wrong\u001B[39m\n\nExpected: 3\n    at a.spec.ts:5:7';
      expect(
        named([test('adds', 'failed', message), test('is found', 'passed'), test('waits', 'todo')]),
      ).toEqual([
        'apps/a.spec.ts › a sum › of two › adds: Error: wrong Expected: 3 at a.spec.ts:5:7',
        'apps/a.spec.ts › a sum › of two › waits: todo',
      ]);
    });

    it('names a file that could not run, or failed after its tests', () => {
      const message = '  ● Test suite failed to run\n\n    Error: no such module';
      const line = 'apps/a.spec.ts: ● Test suite failed to run Error: no such module';
      expect(named([], message)).toEqual([line]);
      expect(named([test('adds', 'passed')], message)).toEqual([line]);
      expect(named([test('adds', 'passed')])).toEqual([]);
    });

    it('cuts long messages and long lists', () => {
      const [line = ''] = named([test('adds', 'failed', 'x'.repeat(500))]);
      expect(line).toMatch(/: x{200} …$/);
      expect(firstLines(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more']);
      expect(firstLines(['a', 'b'], 2)).toEqual(['a', 'b']);
    });
  });

  it('names the slowest files first', () => {
    const result = {
      testResults: [
        { name: 'a', startTime: 0, endTime: 1_000 },
        { name: 'b', startTime: 500, endTime: 3_000 },
        { name: 'c', startTime: 0, endTime: 2_000 },
      ],
    };
    expect(slowest(secondsOfFiles(result), 2)).toEqual([
      ['b', 2.5],
      ['c', 2],
    ]);
  });
});

describe('the order of test files', () => {
  const paths = ['x/quick.int-spec.ts', 'x/slow.int-spec.ts', 'x/stack.e2e-spec.ts'];

  it('starts with those that took longest in the last run', () => {
    const measured = { 'x/quick.int-spec.ts': 1, 'x/slow.int-spec.ts': 90 };
    expect(longestFirst(paths, measured, {})).toEqual([
      'x/slow.int-spec.ts',
      'x/stack.e2e-spec.ts',
      'x/quick.int-spec.ts',
    ]);
  });

  it('goes by the checked-in seconds in a fresh clone', () => {
    const weights = { 'slow.int-spec.ts': 60 };
    expect(longestFirst(paths, {}, weights)[0]).toBe('x/slow.int-spec.ts');
  });
});

describe('the runner of steps', () => {
  const passing = (name: string, log: string[], needs: Step[] = []): Step => ({
    name,
    needs,
    run: async () => {
      log.push(name);
      return { passed: 2, failed: 0 };
    },
  });

  it('runs each step once, after the steps it needs', async () => {
    const log: string[] = [];
    const build = passing('build', log);
    const runner = new Runner(() => undefined);
    await runner.sideBySide([passing('lint', log, [build])], [passing('types', log, [build])]);
    await runner.inTurn(build);
    expect(log).toEqual(['build', 'lint', 'types']);
    expect(await runner.total()).toEqual({ passed: 6, failed: 0 });
  });

  it('counts a step that throws as one failure, and goes on', async () => {
    const log: string[] = [];
    const broken = { name: 'broken', run: () => Promise.reject(new Error('no compiler')) };
    const said: string[] = [];
    const runner = new Runner((_step, line) => said.push(line));
    await runner.inTurn(broken, passing('next', log));
    expect(log).toEqual(['next']);
    expect(await runner.total()).toEqual({ passed: 2, failed: 1 });
    expect(said.join()).toContain('no compiler');
    expect(await runner.summary()).toEqual([
      expect.stringContaining('broken: 0 passed, 1 failed'),
      expect.stringContaining('next: 2 passed, 0 failed'),
    ]);
  });
});

describe('a whole run', () => {
  it('has every step but those of the long proofs', async () => {
    const run: string[] = [];
    const sideBySide = (...lists: Step[][]) => {
      run.push(...lists.flat().map(({ name }) => name));
      return Promise.resolve();
    };
    await runAll({ sideBySide });
    const all = Object.keys(byName).filter((name) => name !== 'contract-coverage');
    expect(new Set(run)).toEqual(new Set(all));
  });
});

describe('the arguments of npm test', () => {
  const names = (...args: string[]) => selectSteps(args).map(({ name }) => name);

  it('select a step by its name', () => {
    expect(names('lint', 'types')).toEqual(['lint', 'types']);
  });

  it('select the test files at a path, in one run of jest', () => {
    const [step, ...others] = selectSteps(['tools/test/gates.spec.ts', 'tools/prove']);
    expect(step).toMatchObject({ name: 'selection', needs: [] });
    expect(others).toEqual([]);
  });

  it('build first where the selected files start services', () => {
    const [step] = selectSteps(['tests/e2e']);
    expect(step?.needs?.map(({ name }) => name)).toContain('bundles');
  });

  it('select the tests of a contract by path', () => {
    expect(names('libs/solidity/test/Executor.t.sol')).toEqual([
      'libs/solidity/test/Executor.t.sol',
    ]);
    expect(names('libs/solidity')).toEqual(['contracts', 'selection']);
  });

  it('are refused when they name neither, or a path without tests', () => {
    expect(() => names('no-such-step')).toThrow('neither a path nor a step');
    expect(() => names('docs')).toThrow('no test files in docs');
  });
});

describe('a command of a step', () => {
  const node = (script: string) =>
    run('gates', process.execPath, ['--eval', script], { capture: true });

  it('fails on an exit code, on a kill, and when it is not found', async () => {
    expect(await node('process.exit(3)')).toMatchObject({ code: 3 });
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({ code: 1 });
    expect(await run('gates', '/nowhere/at-all', [])).toMatchObject({ code: 1 });
  });

  it('passes otherwise, and returns its output', async () => {
    expect(await node('console.log("done")')).toEqual({ code: 0, output: 'done\n' });
  });
});
