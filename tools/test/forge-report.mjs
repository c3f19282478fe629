// Reads what `forge test --json` reports.

/** Lists suites with their tests; `calls` counts the handler's calls, between which an invariant was checked. */
export function readForgeReport(output) {
  const suites = Object.entries(JSON.parse(output.slice(output.indexOf('{'))));
  return suites.map(([suite, { test_results: tests }]) => ({
    suite,
    tests: Object.entries(tests).map(([name, { status, reason, kind }]) => ({
      name,
      failure: status === 'Success' ? undefined : (reason ?? status),
      calls: kind?.Invariant?.calls,
    })),
  }));
}

/** Lists all invariants, and those with fewer calls than needed. */
export function invariantCalls(suites, atLeast) {
  const invariants = suites
    .flatMap(({ tests }) => tests)
    .filter(({ calls }) => calls !== undefined);
  return { invariants, tooFew: invariants.filter(({ calls }) => calls < atLeast) };
}

/**
 * Counts tests. An invariant with too few calls is a failure.
 *
 * @param atLeast calls of each invariant; above zero, a run without any invariant is a failure
 */
export function forgeCounts(suites, code, atLeast) {
  const { invariants, tooFew } = invariantCalls(suites, atLeast);
  const tests = suites.flatMap((suite) => suite.tests);
  const passed = tests.filter(({ failure }) => failure === undefined).length;
  const isUnchecked = tests.length === 0 || (atLeast > 0 && invariants.length === 0);
  const failed = tests.length - passed + tooFew.length + (isUnchecked ? 1 : 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
