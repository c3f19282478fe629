// Reads what `jest --json` reports.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LENGTH = 200;

/** Counts tests. Skipped ones fail: they would go unnoticed otherwise. */
export function jestCounts(result, code) {
  const failed =
    result.numFailedTests +
    result.numPendingTests +
    result.numTodoTests +
    result.numRuntimeErrorTestSuites;
  // A run can also fail without a failing test, for example in its set-up.
  return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/** Names each test that did not pass, and each file that failed otherwise, with the start of the message on one line. */
export const failedTests = ({ testResults }, root) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status !== 'passed');
    if (tests.length === 0 && status === 'failed') return [`${file}: ${startOf(message)}`];
    return tests.map(({ ancestorTitles, title, failureMessages: [failure], ...test }) =>
      [file, ...ancestorTitles, `${title}: ${startOf(failure ?? test.status)}`].join(' › '),
    );
  });

function startOf(message) {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return line.length > MESSAGE_LENGTH ? `${line.slice(0, MESSAGE_LENGTH)} …` : line;
}

/** The first lines, and how many others there are. */
export const firstLines = (lines, count) =>
  lines.length > count ? [...lines.slice(0, count), `and ${lines.length - count} more`] : lines;

/** Seconds of each test file, by its path. */
export const secondsOfFiles = ({ testResults }) =>
  Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1000]),
  );

/** The files that took longest, longest first. */
export const slowest = (seconds, count) =>
  Object.entries(seconds)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count);
