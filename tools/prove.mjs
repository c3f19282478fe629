// Runs the long proofs that are too slow for `npm test`: all parts, or the one that is named. Each ends within an hour.
import { endAll, say } from './test/commands.mjs';
import { Runner } from './test/runner.mjs';
import { PARTS, selectParts } from './prove/parts.mjs';

if (process.argv[2] === '--list-json') {
  console.log(JSON.stringify(PARTS.map(({ name }) => name)));
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await endAll();
    process.exit(1);
  });
}

const parts = selectParts(process.argv.slice(2));
const runner = new Runner();
await runner.inTurn(...parts);

for (const { name, proves } of parts) say('summary', `${name} proves ${proves}`);
for (const line of await runner.summary()) say('summary', line);
const { passed, failed } = await runner.total();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
