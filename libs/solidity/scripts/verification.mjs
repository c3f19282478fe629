// Writes what explorers ask for to verify a contract's source: for each contract the compiler's standard JSON input,
// and in deployment.json its compiler, name, address and constructor arguments:
// npm run verification -w @bascule/solidity -- --settings settings.json --output <folder>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseArgs } from 'node:util';
import solc from 'solc';
import { encodeAbiParameters } from 'viem';
import { deploymentsOf } from '../src/deployment-settings.ts';
import { folderOf, packageRoot } from './forge.mjs';

const IMPORT = /^import\s[^;]*?"([^"]+)";/gm;
/** Settings of foundry.toml that shape the bytecode. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
};
const SOURCES = {
  converter: 'Converter',
  actionRunnerFactory: 'ActionRunnerFactory',
  oneTimeWalletFactory: 'OneTimeWalletFactory',
  oneTimeWalletImplementation: 'OneTimeWallet',
};

/** A source's name is the path by which others import it. */
function contentOf(name) {
  if (name.startsWith('@openzeppelin/contracts/'))
    return read(folderOf('@openzeppelin/contracts'), name.slice('@openzeppelin/contracts/'.length));
  if (name.startsWith('solady/')) return read(folderOf('solady'), `src/${name.slice(7)}`);
  return read(packageRoot, name);
}

const read = (folder, path) => readFileSync(join(folder, path), 'utf8');

function collect(name, sources) {
  if (sources[name]) return sources;
  const content = contentOf(name);
  sources[name] = { content };
  for (const [, imported] of content.matchAll(IMPORT)) {
    collect(imported.startsWith('.') ? join(dirname(name), imported) : imported, sources);
  }
  return sources;
}

/** Standard JSON input that compiles the contract to the code of this release. */
function standardInput(contract) {
  const sources = collect(`contracts/${contract}.sol`, {});
  const sorted = Object.fromEntries(
    Object.entries(sources).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { language: 'Solidity', sources: sorted, settings: SETTINGS };
}

const { values } = parseArgs({
  options: { settings: { type: 'string' }, output: { type: 'string' } },
});
if (!values.output) throw new Error('--output is missing: the folder to write to');
const settings = values.settings ? JSON.parse(readFileSync(values.settings, 'utf8')) : {};
mkdirSync(values.output, { recursive: true });
const deployments = deploymentsOf(settings);
const at = (wanted) => deployments.find(({ name }) => name === wanted).address;
const ofWallets = encodeAbiParameters(
  [{ type: 'address' }, { type: 'address' }],
  [at('converter'), at('actionRunnerFactory')],
);
const contracts = deployments.map(({ name, address, source }) => {
  const contract = source?.contract ?? SOURCES[name];
  const input = `${contract}.json`;
  writeFileSync(join(values.output, input), JSON.stringify(standardInput(contract), null, 2));
  const constructorArguments =
    source?.constructorArguments ?? (name.startsWith('oneTimeWallet') ? ofWallets : '0x');
  return { name: `contracts/${contract}.sol:${contract}`, address, constructorArguments, input };
});
const compiler = `v${solc.version().replace('.Emscripten.clang', '')}`;
writeFileSync(
  join(values.output, 'deployment.json'),
  `${JSON.stringify({ compiler, contracts }, null, 2)}\n`,
);
