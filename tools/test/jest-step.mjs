import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { lastSeconds, secondsFile } from '../jest/last-seconds.mjs';
import { root, run } from './commands.mjs';
import { failedTests, firstLines, jestCounts, secondsOfFiles, slowest } from './jest-report.mjs';
import { program } from './programs.mjs';

/** Seconds of the test files of all Jest runs in this process. */
const measured = {};

/** Names of the failed tests of all Jest runs in this process. */
const failures = [];

/** Runs Jest once for the given projects, with the options of `run`; no file runs twice. */
export const jestStep = (name, { projects, args = [], needs = [], ...options }) => ({
  name,
  needs,
  async run() {
    const report = join(root, `.local/test-reports/${name}.json`);
    mkdirSync(dirname(report), { recursive: true });
    rmSync(report, { force: true });
    const command = [
      program('jest'),
      ...['--selectProjects', ...projects],
      ...['--json', '--outputFile', report],
      ...args,
    ];
    const { code } = await run(name, process.execPath, command, options);
    const result = readReport(report);
    if (result === null) return { passed: 0, failed: 1 };
    remember(secondsOfFiles(result));
    failures.push(...failedTests(result, root).map((test) => `${name} ${test}`));
    return jestCounts(result, code);
  },
});

/** @returns null when Jest ended before it could report */
function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return null;
  }
}

function remember(seconds) {
  Object.assign(measured, seconds);
  writeFileSync(secondsFile, JSON.stringify({ ...lastSeconds(), ...seconds }, null, 2));
}

/** The first 20 failed tests of this process's Jest runs, as lines to print. */
export const failedTestLines = () => firstLines(failures, 20);

/** The ten slowest test files of this process's Jest runs, as lines to print. */
export const slowestFiles = () =>
  slowest(measured, 10).map(
    ([path, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${relative(root, path)}`,
  );
