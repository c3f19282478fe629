// Reads what `jest --json` reports.

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
