// Times that the documentation promises, each measured once from outside: on a distributed stack, an embedded one, and a
// Kafka of its own. They depend on the machine, so no test asserts them.
import { distributed } from './promises/distributed.js';
import { embedded } from './promises/embedded.js';
import { messaging } from './promises/messaging.js';

const parts = { messaging, embedded, distributed };

const [wanted] = process.argv.slice(2).filter((each) => !each.startsWith('--'));
for (const [name, measure] of Object.entries(parts)) {
  if (wanted === undefined || wanted === name) await measure();
}
