// The long proof of the contracts: many calls of every invariant, and static analysis. `npm test` runs the short one.
import { endAll } from './test/commands.mjs';
import { proveInvariants } from './prove/invariants.mjs';
import { analyse } from './prove/slither.mjs';

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await endAll();
    process.exit(1);
  });
}

const total = { passed: 0, failed: 0 };
for (const part of [analyse, proveInvariants]) {
  const { passed, failed } = await part();
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
