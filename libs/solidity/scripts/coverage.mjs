// Fails unless the tests run every line, branch and function of the contracts.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forge, packageRoot } from './forge.mjs';

const report = join(packageRoot, 'cache/lcov.info');

/**
 * Lists lines, branches and functions that no test ran. A report without contracts is a failure too.
 *
 * @public loaded by tools/test/gates.spec.ts
 */
export function uncovered(lcov) {
  const found = filesIn(lcov) === 0 ? ['no contract is in the report'] : [];
  for (const record of lcov.split('end_of_record')) {
    const file = /^SF:(.*)$/m.exec(record)?.[1];
    if (!file?.startsWith('contracts/')) continue;
    for (const [, line, count] of record.matchAll(/^DA:(\d+),(\d+)/gm)) {
      if (count === '0') found.push(`${file}:${line} is not run`);
    }
    for (const [, line, , , count] of record.matchAll(/^BRDA:(\d+),(\d+),(\d+),(\d+|-)/gm)) {
      if (count === '0' || count === '-')
        found.push(`${file}:${line} has a branch that is not taken`);
    }
    for (const [, count, name] of record.matchAll(/^FNDA:(\d+),(.*)$/gm)) {
      if (count === '0') found.push(`${file}: ${name} is not called`);
    }
  }
  return found;
}

const filesIn = (lcov) => [...lcov.matchAll(/^SF:(contracts\/.*)$/gm)].length;

if (process.argv[1] === import.meta.filename) {
  mkdirSync(join(packageRoot, 'cache'), { recursive: true });
  const { status } = forge(
    [
      'coverage',
      // Gas is meaningless without the optimiser, and the invariant covers nothing more.
      ...['--no-match-path', 'test/{Gas.t.sol,invariants/**}'],
      ...['--report', 'lcov', '--report-file', report],
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      // A folder of its own, since the settings differ from the build's.
      env: { FOUNDRY_OUT: 'cache/coverage/out', FOUNDRY_CACHE_PATH: 'cache/coverage' },
    },
  );
  if (status !== 0) throw new Error('forge coverage failed');
  const lcov = readFileSync(report, 'utf8');
  const missing = uncovered(lcov);
  for (const message of missing) process.stderr.write(`${message}\n`);
  process.stdout.write(
    missing.length === 0
      ? `every line, branch and function of ${filesIn(lcov)} files is covered\n`
      : `${missing.length} not covered\n`,
  );
  process.exitCode = missing.length === 0 ? 0 : 1;
}
