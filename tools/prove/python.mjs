import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from '../test/commands.mjs';

const STEP = 'python';
const environment = join(root, '.local/prove/venv');

function works(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Installs a Python package and its extras unless it is there, and returns the folder of its programs. */
export function pythonPrograms(name, version, extras = []) {
  const programs = join(environment, 'bin');
  const python = join(programs, 'python');
  const isInstalled = `import importlib.metadata as m; assert m.version("${name}") == "${version}"`;
  if (existsSync(python) && works(python, ['-c', isInstalled])) return programs;

  if (!works('python3', ['-c', 'import sys, venv; assert sys.version_info >= (3, 10)'])) {
    throw new Error(
      'npm run prove needs Python 3.10 or later with venv; on Debian: apt-get install python3 python3-venv',
    );
  }
  say(STEP, `installs ${name} ${version} in .local/prove/venv`);
  mkdirSync(join(environment, '..'), { recursive: true });
  for (const [command, args] of [
    ['python3', ['-m', 'venv', environment]],
    [python, ['-m', 'pip', 'install', '--quiet', `${name}[${extras.join()}]==${version}`]],
  ]) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) {
      throw new Error(
        `${command} ${args.join(' ')} failed; Python's venv and pip are needed (on Debian: apt-get install python3-venv)`,
      );
    }
  }
  return programs;
}
