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

/** More than so many files do not fail by an accident of the machine. */
const MOST_ACCIDENTS = 2;

const failedFiles = ({ testResults }) =>
  testResults.flatMap(({ name, status }) => (status === 'failed' ? [name] : []));

/** The files whose failure another run of theirs, alone on the machine, may excuse. */
export function filesToRunAgain(result, isExcusable) {
  const files = failedFiles(result);
  return files.length <= MOST_ACCIDENTS && files.every(isExcusable) ? files : [];
}

/** The first run's counts, with those of the files that ran again taken from their second run. */
export function countsAfter(first, second, secondCode) {
  const again = new Set(failedFiles(first));
  const passedBefore = first.testResults
    .filter(({ name }) => again.has(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length;
  const ran = new Set(second.testResults.map(({ name }) => name));
  const counts = jestCounts(second, secondCode);
  return {
    passed: first.numPassedTests - passedBefore + counts.passed,
    failed:
      counts.failed +
      first.numPendingTests +
      first.numTodoTests +
      [...again].filter((name) => !ran.has(name)).length,
  };
}
