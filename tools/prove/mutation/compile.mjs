// Compiles contracts with one file replaced, without forge: a fraction of the time.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { forge, forgeEnvironment, packageRoot } from '../../../libs/solidity/scripts/forge.mjs';

const solc = createRequire(join(packageRoot, 'package.json'))('solc');
const remappings = forgeEnvironment()
  .FOUNDRY_REMAPPINGS.split('\n')
  .map((line) => line.split('='));

const config = JSON.parse(
  forge(['config', '--json'], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' }).stdout,
);
const SETTINGS = {
  evmVersion: config.evm_version,
  viaIR: config.via_ir,
  metadata: { bytecodeHash: config.bytecode_hash, appendCBOR: config.cbor_metadata },
};
/** Settings of the deployed contracts. */
export const OPTIMIZED = { enabled: config.optimizer, runs: config.optimizer_runs };
/** Compiles in a third of the time. */
export const PLAIN = { enabled: false };

function read(name) {
  const [prefix, folder] = remappings.find(([from]) => name.startsWith(from)) ?? [
    '',
    `${packageRoot}/`,
  ];
  return readFileSync(join(folder, name.slice(prefix.length)), 'utf8');
}

/** Files that a file imports, transitively, and itself. */
function imported(file, found = new Set([file])) {
  for (const [, path] of read(file).matchAll(/^import [^;]*"(\.[^"]+)";/gm)) {
    const name = join(file, '..', path);
    if (!found.has(name)) imported(name, found.add(name));
  }
  return found;
}

const deployable = readdirSync(join(packageRoot, 'contracts'))
  .filter((name) => name.endsWith('.sol'))
  .map((name) => `contracts/${name}`);

/** Contracts whose code depends on a file. */
export const dependents = (file) => deployable.filter((name) => imported(name).has(file));

/**
 * Compiles contracts to bytecode, by their files.
 *
 * @param replaced one file with its new content
 * @returns undefined when the compiler refuses
 */
export function compile(files, replaced, optimizer) {
  const contentOf = (name) => (name === replaced?.file ? replaced.content : read(name));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: contentOf(file) }])),
    settings: {
      ...SETTINGS,
      optimizer,
      outputSelection: Object.fromEntries(
        files.map((file) => [
          file,
          { [basename(file, '.sol')]: ['evm.bytecode.object', 'evm.deployedBytecode.object'] },
        ]),
      ),
    },
  };
  const { contracts, errors = [] } = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (name) => ({ contents: contentOf(name) }) }),
  );
  if (errors.some(({ severity }) => severity === 'error')) return undefined;
  return files.map((file) => {
    const { bytecode, deployedBytecode } = contracts[file][basename(file, '.sol')].evm;
    return { file, bytecode: bytecode.object, deployedBytecode: deployedBytecode.object };
  });
}
