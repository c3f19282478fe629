// Copy of the package whose tests take the contracts' bytecode from the artifacts, which a mutant's replaces.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { forgeEnvironment, forgePath, packageRoot } from '../../../libs/solidity/scripts/forge.mjs';

const COPIED = ['contracts', 'test', 'scripts', 'src/generated', 'foundry.toml'];
const CACHE = 'cache/solidity-files-cache.json';
const ENVIRONMENT = {
  FOUNDRY_OPTIMIZER: 'false',
  // Ends a loop that a mutant has made endless.
  FOUNDRY_GAS_LIMIT: '300000000',
};
const TIMEOUT_MS = 300_000;
/** Tests that measure gas, or take long without covering more. */
const LEFT_OUT = ['test/Gas.t.sol', 'test/invariants'];

export class Workspace {
  #folder;
  #originals = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  /** Builds it; slow. */
  prepare() {
    rmSync(this.#folder, { recursive: true, force: true });
    for (const path of COPIED) {
      const target = join(this.#folder, path);
      mkdirSync(join(target, '..'), { recursive: true });
      cpSync(join(packageRoot, path), target, { recursive: true });
    }
    for (const path of LEFT_OUT) rmSync(join(this.#folder, path), { recursive: true });
    const { status } = this.#forge(['build'], { FOUNDRY_DYNAMIC_TEST_LINKING: 'true' });
    if (status !== 0) throw new Error('forge build failed');
    // Otherwise each run would link again, which takes longer than the tests.
    const cache = join(this.#folder, CACHE);
    const content = JSON.parse(readFileSync(cache, 'utf8'));
    writeFileSync(cache, JSON.stringify({ ...content, preprocessed: false }));
  }

  /** Whether the tests pass with the given bytecodes. */
  passes(codes, suites) {
    for (const code of codes) this.#put(code);
    try {
      const wanted = suites ? ['--match-contract', `^(${suites.join('|')})$`] : [];
      const { status } = this.#forge(['test', '--fail-fast', ...wanted]);
      return status === 0;
    } finally {
      for (const [path, content] of this.#originals) writeFileSync(path, content);
    }
  }

  #put({ file, bytecode, deployedBytecode }) {
    const path = join(this.#folder, `out/${basename(file)}/${basename(file, '.sol')}.json`);
    const content = this.#originals.get(path) ?? readFileSync(path, 'utf8');
    this.#originals.set(path, content);
    const artifact = JSON.parse(content);
    artifact.bytecode.object = `0x${bytecode}`;
    artifact.deployedBytecode.object = `0x${deployedBytecode}`;
    writeFileSync(path, JSON.stringify(artifact));
  }

  #forge(args, environment) {
    return spawnSync(forgePath(), args, {
      cwd: this.#folder,
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...forgeEnvironment(), ...ENVIRONMENT, ...environment },
    });
  }
}
