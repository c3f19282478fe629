// The long proof of the contracts: static analysis, many calls of every invariant, and mutation testing. `npm test` runs
// the short one. `npm run prove -- static|invariants|mutation` runs one part; after `mutation` contracts can be named.
import { endAll } from './test/commands.mjs';
import { proveInvariants } from './prove/invariants.mjs';
import { proveByMutation } from './prove/mutation.mjs';
import { analyse } from './prove/slither.mjs';

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await endAll();
    process.exit(1);
  });
}

const PARTS = { static: analyse, invariants: proveInvariants, mutation: proveByMutation };

const [part, ...names] = process.argv.slice(2);
if (part && !PARTS[part]) throw new Error(`no part ${part}: ${Object.keys(PARTS).join(', ')}`);

const total = { passed: 0, failed: 0 };
for (const prove of part ? [PARTS[part]] : Object.values(PARTS)) {
  const { passed, failed } = await prove(names);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
