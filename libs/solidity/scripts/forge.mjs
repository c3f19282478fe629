// Runs forge from its npm platform package, with the Solidity libraries where npm has put them.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
export const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..');

const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const platformPackage = `@foundry-rs/forge-${process.platform}-${architecture}`;

export function folderOf(name, from = require) {
  return dirname(from.resolve(`${name}/package.json`));
}

/** Path of the forge binary. */
export function forgePath() {
  // The platform packages are optional dependencies of @foundry-rs/forge, so they resolve from there.
  const fromForge = createRequire(join(folderOf('@foundry-rs/forge'), 'package.json'));
  return join(
    folderOf(platformPackage, fromForge),
    'bin',
    process.platform === 'win32' ? 'forge.exe' : 'forge',
  );
}

function remappings() {
  const chainlink = folderOf('@chainlink/contracts');
  return [
    `@chainlink/contracts/=${chainlink}/`,
    `@openzeppelin/contracts/=${folderOf('@openzeppelin/contracts')}/`,
    `forge-std/=${chainlink}/src/v0.8/vendor/forge-std/src/`,
    `solady/=${folderOf('solady')}/src/`,
  ];
}

/** Folder of Uniswap's published artifacts, for the tests. */
const uniswapPackages = dirname(folderOf('@uniswap/v3-core'));

/** Environment in which forge finds libraries and artifacts. */
export const forgeEnvironment = () => ({
  FOUNDRY_REMAPPINGS: remappings().join('\n'),
  UNISWAP_PACKAGES: uniswapPackages,
});

export function forge(args, options = {}) {
  return spawnSync(forgePath(), args, {
    cwd: packageRoot,
    stdio: 'inherit',
    ...options,
    env: { ...process.env, ...forgeEnvironment(), ...options.env },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = forge(process.argv.slice(2));
  if (result.error) throw result.error;
  process.exitCode = result.status ?? 1;
}
