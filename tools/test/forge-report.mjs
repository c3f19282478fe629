// What `forge test --json` says.

/** Of invariants, `calls` is how many calls of the handler were made before the last look at it. */
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

/** Every invariant with its calls, and those that had fewer than they should. */
export function invariantCalls(suites, atLeast) {
  const invariants = suites
    .flatMap(({ tests }) => tests)
    .filter(({ calls }) => calls !== undefined);
  return { invariants, tooFew: invariants.filter(({ calls }) => calls < atLeast) };
}

/** Too few calls are a failure, and so is a run without invariants, which has not looked at them. */
export function forgeCounts(suites, code, atLeast) {
  const { invariants, tooFew } = invariantCalls(suites, atLeast);
  const tests = suites.flatMap((suite) => suite.tests);
  const passed = tests.filter(({ failure }) => failure === undefined).length;
  const failed = tests.length - passed + tooFew.length + (invariants.length === 0 ? 1 : 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
