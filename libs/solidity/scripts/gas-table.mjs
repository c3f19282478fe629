// Writes the gas table of the README from the snapshots. `--check` only compares, and fails on a difference or on a
// transaction above its target that analysis/gas.json does not argue.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './forge.mjs';
import { aboveTargets, number, PLAIN, ROWS } from './gas-targets.mjs';

const readme = join(packageRoot, 'README.md');
const MARKERS = ['<!-- gas -->', '<!-- /gas -->'];

function table(gas) {
  const rows = ROWS.map(([name, target, closest, closestGas]) => [
    name,
    number(gas[name]),
    `${(gas[name] / gas[PLAIN]).toFixed(1)} ×`,
    target ? number(target) : '',
    closest ? `${closest}: ${number(closestGas)}` : '',
  ]);
  const head = ['transaction', 'gas', 'plain transfers', 'target', 'commerce-payments'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const readJson = (path) => JSON.parse(readFileSync(join(packageRoot, path), 'utf8'));
const snapshots = ['snapshots/GasTest.json', 'snapshots/EscrowGasTest.json'].map(readJson);
const gas = Object.fromEntries(
  Object.entries(Object.assign({}, ...snapshots)).map(([name, value]) => [name, Number(value)]),
);
const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(MARKERS[0]);
const after = rest.split(MARKERS[1])[1];
const written = `${before}${MARKERS[0]}\n\n${table(gas)}\n\n${MARKERS[1]}${after}`;
if (!process.argv.includes('--check')) {
  writeFileSync(readme, written);
} else {
  const problems = aboveTargets(gas, readJson('analysis/gas.json'));
  if (written !== text) problems.push('the table of gas in README.md differs from the snapshot');
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
