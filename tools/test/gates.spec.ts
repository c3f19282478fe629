// A gate that always passes would not be noticed: each has to refuse something here.
import { describe, expect, it } from '@jest/globals';

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
interface FileResult {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}
interface JestResult {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: FileResult[];
}
const { countsAfter, filesToRunAgain, jestCounts } = (await import(
  `${import.meta.dirname}/jest-report.mjs`
)) as {
  countsAfter: (first: JestResult, second: JestResult, secondCode: number) => Counts;
  filesToRunAgain: (result: JestResult, isExcusable: (file: string) => boolean) => string[];
  jestCounts: (result: Record<string, number>, code: number) => Counts;
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

const { aboveAims } = (await import(
  `${import.meta.dirname}/../../libs/solidity/scripts/gas-aims.mjs`
)) as {
  aboveAims: (
    gas: Record<string, number>,
    argued: Record<string, { atMost: number; because: string }>,
    rows: [name: string, aim?: number][],
  ) => string[];
};

describe('the security model', () => {
  const tests = new Set(['WalletTest.test_pays', 'InvariantsTest.invariant_sums']);
  const problems = (text: string) =>
    checkSecurityModel(text, tests).flatMap((statement) => statement.problems);

  it('is refused when a statement names no test', () => {
    expect(problems('# Title\n\n- It pays.\n')).toEqual(['names no test']);
  });

  it('is refused when one of the tests that a statement names is not there', () => {
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

  it('is refused when a test of another kind, or its file, is not there', () => {
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

  it('passes with the tests that there are', () => {
    const text = '- It pays. [`WalletTest.test_pays`]\n- Sums. [`InvariantsTest.invariant_sums`]\n';
    expect(problems(text)).toEqual([]);
  });

  it('is held against the tests of the contracts', () => {
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
  ])('is refused when %s is not run', (_what, line, message) => {
    const [found, ...others] = uncovered(wallet('DA:1,3', line));
    expect(found).toContain(message);
    expect(others).toEqual([]);
  });

  it('is refused when no contract was looked at', () => {
    expect(uncovered('')).toHaveLength(1);
    expect(uncovered(wallet().replace('contracts/', 'test/'))).toHaveLength(1);
  });

  it('passes when everything is run, whatever there is of tests', () => {
    const test = 'SF:test/Wallet.t.sol\nDA:1,0\nend_of_record\n';
    expect(uncovered(wallet('FNDA:1,Wallet.pay', 'DA:7,10', 'BRDA:8,0,1,2') + test)).toEqual([]);
  });
});

describe('what transactions cost', () => {
  const rows: [string, number?][] = [['transfer'], ['leg', 85_000]];
  const because = 'of the second account';
  const costs = (leg: number, argued: Record<string, { atMost: number; because: string }> = {}) =>
    aboveAims({ transfer: 34_335, leg }, argued, rows);

  it('passes up to its aim, and above it as far as that is argued', () => {
    expect(costs(85_000)).toEqual([]);
    expect(costs(90_055, { leg: { atMost: 90_055, because } })).toEqual([]);
  });

  it.each([
    ['it is above its aim', costs(85_001), 'leg: costs 85,001, and may cost 85,000'],
    [
      'it is above what is argued',
      costs(90_056, { leg: { atMost: 90_055, because } }),
      'leg: costs 90,056, and may cost 90,055',
    ],
    [
      'nobody says why',
      costs(90_055, { leg: { atMost: 90_055, because: '' } }),
      'leg: costs 90,055, and may cost 85,000',
    ],
    [
      'what is argued is not above its aim any more',
      costs(85_000, { leg: { atMost: 90_055, because } }),
      'leg: argued, but not above an aim',
    ],
    [
      'what is argued has no aim',
      costs(1, { transfer: { atMost: 34_335, because } }),
      'transfer: argued, but not above an aim',
    ],
    ['it was not measured', aboveAims({ transfer: 1 }, {}, rows), 'leg: was not measured'],
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

  it('passes when every test did and every invariant was called often enough', () => {
    expect(count({ 'test_a()': passed, 'invariant_b()': held })).toEqual({ passed: 2, failed: 0 });
  });

  it.each([
    ['a test failed', { ...passed, status: 'Failure', reason: 'reverted' }],
    ['a test was skipped', { ...passed, status: 'Skipped' }],
  ])('is a failure when %s', (_what, result) => {
    expect(count({ 'test_a()': result, 'invariant_b()': held })).toEqual({ passed: 1, failed: 1 });
  });

  it('tells why a test failed', () => {
    const report = said({ 'test_a()': { ...passed, status: 'Failure', reason: 'reverted' } });
    expect(readForgeReport(report)).toMatchObject([
      { suite: 'test/A.t.sol:ATest', tests: [{ name: 'test_a()', failure: 'reverted' }] },
    ]);
  });

  it('is a failure when an invariant was called too seldom', () => {
    const seldom = { ...held, kind: { Invariant: { calls: 99 } } };
    const results = { 'invariant_b()': held, 'invariant_c()': seldom };
    expect(count(results).failed).toBe(1);
    const { invariants, tooFew } = invariantCalls(readForgeReport(said(results)), 100);
    expect(invariants).toHaveLength(2);
    expect(tooFew).toMatchObject([{ name: 'invariant_c()', calls: 99 }]);
  });

  it('is a failure when there was no invariant, or nothing at all', () => {
    expect(count({ 'test_a()': passed })).toEqual({ passed: 1, failed: 1 });
    expect(forgeCounts([], 0, 100)).toEqual({ passed: 0, failed: 1 });
  });

  it('is a failure when forge failed for another reason', () => {
    expect(count({ 'invariant_b()': held }, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('is none when forge did not report', () => {
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

  describe('a file of tests that failed', () => {
    const file = (name: string, ...statuses: string[]): FileResult => ({
      name,
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status) => ({ status })),
    });
    const report = (...testResults: FileResult[]): JestResult => {
      const all = testResults.flatMap(({ assertionResults }) => assertionResults);
      const numberOf = (wanted: string) => all.filter(({ status }) => status === wanted).length;
      return {
        ...{ numPassedTests: numberOf('passed'), numFailedTests: numberOf('failed') },
        ...{ numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 0 },
        testResults,
      };
    };
    const first = report(file('a', 'passed', 'failed'), file('b', 'passed', 'passed'));

    it('runs again, and counts by its second run', () => {
      expect(filesToRunAgain(first, () => true)).toEqual(['a']);
      const better = report(file('a', 'passed', 'passed'));
      expect(countsAfter(first, better, 0)).toEqual({ passed: 4, failed: 0 });
      const same = report(file('a', 'passed', 'failed'));
      expect(countsAfter(first, same, 1)).toEqual({ passed: 3, failed: 1 });
    });

    it('is a failure when the second run has not looked at it, or failed otherwise', () => {
      expect(countsAfter(first, report(), 0)).toEqual({ passed: 2, failed: 1 });
      const better = report(file('a', 'passed', 'passed'));
      expect(countsAfter(first, better, 1)).toEqual({ passed: 4, failed: 1 });
    });

    it('has one run where nothing excuses it, and where too many fail with it', () => {
      expect(filesToRunAgain(first, (name) => name !== 'a')).toEqual([]);
      const failed = ['a', 'b', 'c'].map((name) => file(name, 'failed'));
      expect(filesToRunAgain(report(...failed), () => true)).toEqual([]);
    });

    it('does not make up for tests that were skipped elsewhere', () => {
      const skipping = { ...first, numPendingTests: 1 };
      const better = report(file('a', 'passed', 'passed'));
      expect(countsAfter(skipping, better, 0)).toEqual({ passed: 4, failed: 1 });
    });
  });
});

describe('a command of a step', () => {
  const node = (script: string) =>
    run('gates', process.execPath, ['--eval', script], { capture: true });

  it('has failed when it says so, when it was killed, and when it is not there', async () => {
    expect(await node('process.exit(3)')).toMatchObject({ code: 3 });
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({ code: 1 });
    expect(await run('gates', '/nowhere/at-all', [])).toMatchObject({ code: 1 });
  });

  it('has passed otherwise, and what it printed can be read', async () => {
    expect(await node('console.log("done")')).toEqual({ code: 0, output: 'done\n' });
  });
});
