// What `jest --json` says.

/** Skipped tests count as failed: nobody looks at them otherwise. */
export function jestCounts(result, code) {
  const failed =
    result.numFailedTests +
    result.numPendingTests +
    result.numTodoTests +
    result.numRuntimeErrorTestSuites;
  // A run can also fail without a failing test, for example in its set-up.
  return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
}
