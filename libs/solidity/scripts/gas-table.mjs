// Writes what transactions cost into the README, from the snapshot: `--check` only compares, and fails on a difference.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './forge.mjs';

const readme = join(packageRoot, 'README.md');
const MARKERS = ['<!-- gas -->', '<!-- /gas -->'];

// Of base/commerce-payments, whose benchmarks leave out the 21,000 of any transaction and its calldata.
const CLOSEST = { authorize: 127_755, capture: 98_688, charge: 178_936, refund: 64_337 };
const { authorize, capture, charge, refund } = CLOSEST;

const PLAIN = 'plain ERC-20 transfer';
/** Each with its aim, and with what is closest to it in the closest public design. */
const ROWS = [
  ['plain ERC-20 transfer'],
  ['wallet deployment', 80_000],
  ['transfer leg with fee, executed by a key', 85_000, 'capture', capture],
  ['transfer leg with fee', 85_000, 'capture', capture],
  ['transfer leg with fee and deployment', null, 'authorise + capture', authorize + capture],
  ['plain Uniswap V3 swap'],
  ['Uniswap V3 swap with payout and fee', 215_000, 'charge, without a swap', charge],
  ['withdrawal of one token', 90_000, 'refund', refund],
  ['withdrawal of one token with fee', 105_000, 'refund', refund],
  ['deployment and withdrawal of one token with fee', 165_000, 'refund', refund],
];

const number = (value) => value.toLocaleString('en-US');

function table(gas) {
  const rows = ROWS.map(([name, aim, closest, closestGas]) => [
    name,
    number(gas[name]),
    `${(gas[name] / gas[PLAIN]).toFixed(1)} ×`,
    aim ? number(aim) : '',
    closest ? `${closest}: ${number(closestGas)}` : '',
  ]);
  const head = ['transaction', 'gas', 'plain transfers', 'aim', 'commerce-payments'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const snapshot = JSON.parse(readFileSync(join(packageRoot, 'snapshots/GasTest.json'), 'utf8'));
const gas = Object.fromEntries(
  Object.entries(snapshot).map(([name, value]) => [name, Number(value)]),
);
const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(MARKERS[0]);
const after = rest.split(MARKERS[1])[1];
const written = `${before}${MARKERS[0]}\n\n${table(gas)}\n\n${MARKERS[1]}${after}`;
if (!process.argv.includes('--check')) writeFileSync(readme, written);
else if (written !== text) {
  process.stderr.write('the table of gas in README.md differs from the snapshot\n');
  process.exitCode = 1;
}
