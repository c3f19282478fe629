// Webhooks: `npm run bench:webhooks -- throughput | latency | claim [rows]`; all of them without a name.
import { benchClaim } from './webhooks/claim.js';
import { benchLatency } from './webhooks/latency.js';
import { benchThroughput } from './webhooks/throughput.js';

const DEFAULT_ROWS = 10_000_000;

const [name, rows = String(DEFAULT_ROWS)] = process.argv.slice(2);
const benches: Record<string, () => Promise<void>> = {
  throughput: benchThroughput,
  latency: benchLatency,
  claim: () => benchClaim(Number(rows)),
};
if (name !== undefined && !(name in benches)) throw new Error(`no benchmark ${name}`);
for (const [each, bench] of Object.entries(benches)) {
  if (name === undefined || name === each) await bench();
}
