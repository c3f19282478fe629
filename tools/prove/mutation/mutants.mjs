// Mutants of the contracts; names are stable under changes elsewhere in the file.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../../libs/solidity/scripts/forge.mjs';
import { slitherEnvironment, slitherOut } from '../slither.mjs';

const LISTING = join(import.meta.dirname, 'list-mutants.py');
/** Stand-ins for contracts that others deployed on real chains. */
const STAND_INS = 'contracts/development/';

export function listMutants(programs) {
  const { status, stdout } = spawnSync(
    join(programs, 'python'),
    [LISTING, packageRoot, slitherOut],
    {
      cwd: packageRoot,
      env: { ...process.env, ...slitherEnvironment(programs) },
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error('slither could not list the mutants');
  return distinct(JSON.parse(stdout).filter(({ file }) => !file.startsWith(STAND_INS)));
}

/** Drops mutants that change only comments and spaces, and duplicates of other mutators. */
export function distinct(listed, read = (file) => readFileSync(join(packageRoot, file))) {
  const seen = new Set();
  const names = new Map();
  const mutants = [];
  for (const { file, place, mutator, start, end, before, after } of listed) {
    const source = read(file);
    const content = mutated(source, { start, end, after });
    const words = `${file} ${essence(content)}`;
    if (seen.has(words) || essence(content) === essence(source.toString())) continue;
    seen.add(words);

    const plain = `${basename(file)} ${place} ${mutator}: ${inOneLine(before)} → ${inOneLine(after)}`;
    const count = (names.get(plain) ?? 0) + 1;
    names.set(plain, count);
    mutants.push({ file, name: count === 1 ? plain : `${plain} (${count})`, content });
  }
  return mutants;
}

/** Offsets are the compiler's, in bytes. */
function mutated(source, { start, end, after }) {
  return `${source.subarray(0, start)}${after}${source.subarray(end)}`;
}

const essence = (text) => inOneLine(text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' '));
const inOneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();
