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
