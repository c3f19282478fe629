// The order of the steps in a whole run on two cores.
import * as steps from './steps.mjs';

export async function runAll(runner) {
  // What needs a core for itself first, so that the tests with servers start with everything compiled.
  await runner.sideBySide(
    [steps.build, steps.bundles, steps.unit],
    [steps.bindings],
    [steps.prerequisites],
  );
  await runner.sideBySide(
    // The last integration tests and the outages are waited for most of the time; the checks yield to them.
    [
      ...[steps.e2e, steps.types, steps.projectGraph, steps.boundaries, steps.folders],
      ...[steps.apiChanges],
      ...[steps.licences, steps.unusedCode, steps.lint, steps.format, steps.securityModel],
      ...[steps.contracts, steps.gasTable],
    ],
    // Outages would fail other end-to-end tests.
    [steps.integration, steps.eventsSeen, steps.e2e, steps.disruption],
  );
}
