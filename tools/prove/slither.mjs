// Static analysis: every finding is argued in a list, and every argument has a finding.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forgeEnvironment, forgePath } from '../../libs/solidity/scripts/forge.mjs';
import { root, run, say } from '../test/commands.mjs';
import { againstArguments } from './arguments.mjs';
import { pythonPrograms } from './python.mjs';

const STEP = 'slither';
const VERSION = '0.11.6';
const packageRoot = join(root, 'libs/solidity');
const report = join(root, '.local/prove/slither.json');
const argumentsFile = join(packageRoot, 'analysis/slither.json');

/** Lists findings by check and place, without line numbers, which change often. */
export function findingsOf(json) {
  const { success, error, results } = JSON.parse(json);
  if (!success) throw new Error(`slither failed: ${error}`);
  return (results.detectors ?? []).map(({ check, description, elements: [element] }) => ({
    key: `${check}: ${place(element)}`,
    description: description.trim(),
  }));
}

function place(element) {
  if (!element) return '';
  const { name, type, type_specific_fields: fields, source_mapping: source } = element;
  const file = source.filename_relative.split('/').at(-1);
  const parent = fields?.parent?.type_specific_fields?.signature ?? fields?.parent?.name;
  const own = type === 'function' ? (fields?.signature ?? name) : name;
  return [file, ...(type === 'node' ? [parent, own] : [own])].join(' ');
}

/** Output folder of slither's own build. */
export const slitherOut = 'cache/slither/out';

export const slitherPrograms = () => pythonPrograms('slither-analyzer', VERSION);

/** Environment in which slither builds the contracts. */
export const slitherEnvironment = (programs) => ({
  ...forgeEnvironment(),
  FOUNDRY_OUT: slitherOut,
  FOUNDRY_CACHE_PATH: 'cache/slither',
  PATH: `${dirname(forgePath())}:${programs}:${process.env.PATH}`,
});

export async function analyse() {
  const programs = slitherPrograms();
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  await run(
    STEP,
    join(programs, 'slither'),
    [
      packageRoot,
      ...['--foundry-out-directory', slitherOut],
      ...['--filter-paths', 'node_modules', '--json', report, '--fail-none'],
    ],
    { capture: true, env: slitherEnvironment(programs) },
  );
  const findings = findingsOf(readFileSync(report, 'utf8'));
  const argued = JSON.parse(readFileSync(argumentsFile, 'utf8'));
  const found = new Set(findings.map(({ key }) => key));
  const { open, stale } = againstArguments(found, argued);
  for (const { key, description } of findings) {
    if (open.includes(key)) say(STEP, `✗ not argued: ${key}\n${description}`);
  }
  for (const key of stale) say(STEP, `✗ argued, but not found any more: ${key}`);
  const explained = found.size - open.length;
  say(STEP, `${found.size} findings, ${explained} argued`);
  return { passed: explained, failed: open.length + stale.length };
}
