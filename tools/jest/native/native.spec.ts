import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');

const FILES = {
  'shared.ts': `
    export const loads: string[] = [];
    export const seen = (file: string): string[] => (loads.push(file), loads);`,
  'first.spec.ts': `
    import { beforeAll, describe, expect, it, jest } from '@jest/globals';
    import { seen } from './shared.js';

    interface Unused { lines: 'that the compiler removes' }

    describe('first', () => {
      it('changes its surroundings', () => {
        process.env.NATIVE_SPEC = 'first';
        jest.spyOn(Math, 'max').mockReturnValue(7);
        jest.useFakeTimers({ now: 0 });
        expect([Math.max(1), Date.now(), seen('first').length]).toEqual([7, 0, 1]);
      });
      it('fails', () => { expect(seen('first')).toEqual([]); });
      it('hangs', () => new Promise(() => undefined), 50);
      it('loses an error', async () => {
        jest.useRealTimers();
        void Promise.reject(new Error('lost'));
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      it('leaves fake timers behind', () => {
        jest.useFakeTimers({ now: 0 });
        expect(Date.now()).toBe(0);
      });
    });
    describe('a set-up that fails', () => {
      beforeAll(() => { throw new Error('no set-up'); });
      it('fails its tests', () => { expect(1).toBe(1); });
    });`,
  'second.spec.ts': `
    import { expect, it } from '@jest/globals';
    import { seen } from './shared.js';
    it('finds the surroundings as they were', () => {
      expect([Math.max(1), process.env.NATIVE_SPEC]).toEqual([1, undefined]);
      expect(Date.now()).toBeGreaterThan(0);
    });
    it('shares modules with the first file', () => { expect(seen('second')[0]).toBe('first'); });`,
  'third.spec.ts': `import { missing } from './shared.js'; missing();`,
};

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

function writeConfig(directory: string, environment = 'tools/jest/native/environment.mjs'): string {
  const config = {
    rootDir: directory,
    testMatch: ['**/*.spec.ts'],
    transform: { '\\.ts$': [join(ROOT, 'node_modules/@swc/jest'), { module: { type: 'es6' } }] },
    runtime: join(ROOT, 'tools/jest/native/runtime.mjs'),
    testEnvironment: join(ROOT, environment),
    testSequencer: join(directory, 'by-name.cjs'),
  };
  writeFileSync(
    config.testSequencer,
    `module.exports = class extends require('@jest/test-sequencer').default {
      sort(tests) { return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1)); }
    };`,
  );
  return JSON.stringify(config);
}

function runJest(directory: string, ...options: string[]): Report {
  const config = writeConfig(directory);
  const report = join(directory, 'report.json');
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [jest, ...options, '--json', '--outputFile', report];
  runNode(...args, '--config', config);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

describe('test files that Node loads', () => {
  const directory = mkdtempSync(join(localDirectory(), 'native-'));
  let report: Report;

  beforeAll(() => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
    report = runJest(directory, '--runInBand');
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const file = (name: string) => report.testResults.find((each) => each.name.endsWith(name));
  const statuses = (name: string) =>
    Object.fromEntries(
      file(name)?.assertionResults.map(({ title, status }) => [title, status]) ?? [],
    );

  it('fail by assertion, timeout, lost error and set-up', () => {
    expect(statuses('first.spec.ts')).toEqual({
      'changes its surroundings': 'passed',
      fails: 'failed',
      hangs: 'failed',
      'loses an error': 'failed',
      'leaves fake timers behind': 'passed',
      'fails its tests': 'failed',
    });
  });

  it('name the line of the source in a failure', () => {
    const line = FILES['first.spec.ts']
      .split('\n')
      .findIndex((text) => text.includes("it('fails'"));
    expect(file('first.spec.ts')?.message).toContain(`first.spec.ts:${line + 1}:`);
  });

  it('share modules, but no environment variables, spies or timers', () => {
    expect(statuses('second.spec.ts')).toEqual({
      'finds the surroundings as they were': 'passed',
      'shares modules with the first file': 'passed',
    });
  });

  it('fail when they cannot be loaded', () => {
    expect(file('third.spec.ts')?.message).toContain("does not provide an export named 'missing'");
  });
});

describe('a worker', () => {
  const directory = mkdtempSync(join(localDirectory(), 'native-'));

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('fails the file in which it exits, without a second attempt', () => {
    const attempts = join(directory, 'attempts');
    const code = `
      import { appendFileSync } from 'node:fs';
      import { expect, it } from '@jest/globals';
      appendFileSync(${JSON.stringify(attempts)}, 'x');`;
    writeFileSync(
      join(directory, 'exits.spec.ts'),
      `${code} it('exits', () => { process.exit(1); });`,
    );
    writeFileSync(
      join(directory, 'runs.spec.ts'),
      "import { it } from '@jest/globals'; it('runs', () => undefined);",
    );
    const { testResults } = runJest(directory, '--maxWorkers=2');
    expect(testResults.find(({ name }) => name.endsWith('exits.spec.ts'))?.message).toContain(
      'A jest worker process',
    );
    expect(readFileSync(attempts, 'utf8')).toBe('x');
  });
});

describe('a process that runs a file again for each mutant', () => {
  const directory = mkdtempSync(join(localDirectory(), 'native-'));

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('loads the test and its modules again, and they see the mutant of the run', () => {
    const source = `
      const mutants = (globalThis as { __stryker__?: { activeMutant?: string } }).__stryker__;
      const sign = mutants?.activeMutant === '8' ? -1 : 1;
      export const sum = (a: number, b: number): number =>
        mutants?.activeMutant === '7' ? a - b : a + sign * b;`;
    const test = `
      import { expect, it } from '@jest/globals';
      import { sum } from './sum.js';
      it('adds', () => { expect(sum(1, 2)).toBe(3); });`;
    writeFileSync(join(directory, 'sum.ts'), source);
    writeFileSync(join(directory, 'sum.spec.ts'), test);
    const config = writeConfig(directory, 'tools/prove/money/environment.mjs');
    const program = `
      import { runCLI } from ${JSON.stringify(join(ROOT, 'node_modules/jest/build/index.mjs'))};
      const outcomes = [];
      for (const mutant of [undefined, '7', '8', '9']) {
        delete process.env.__STRYKER_ACTIVE_MUTANT__;
        if (mutant) process.env.__STRYKER_ACTIVE_MUTANT__ = mutant;
        const argv = { config: ${JSON.stringify(config)}, runInBand: true, reporters: [], _: [], $0: '' };
        const { results } = await runCLI(argv, [${JSON.stringify(directory)}]);
        outcomes.push([results.numPassedTests, results.numFailedTests]);
      }
      console.log(JSON.stringify(outcomes));`;
    const { status, stdout } = runNode('--input-type=module', '-e', program);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
  });
});

const runNode = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });

function localDirectory(): string {
  const directory = join(ROOT, '.local');
  mkdirSync(directory, { recursive: true });
  return directory;
}
