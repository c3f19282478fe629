import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const root = new URL('../..', import.meta.url).pathname;

const running = new Set();

/**
 * Runs a command to its end, each line of its output under the step's name.
 *
 * @param options.yields lets every other process have the processors first
 */
export function run(step, command, args, { env = {}, capture = false, yields = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      // A group of its own, so that its children can be ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        TZ: 'UTC',
        NX_DAEMON: 'false',
        // Stacks under test start many processes from the same files: a quarter of a start is compiling them.
        NODE_COMPILE_CACHE: join(root, '.local/compile-cache'),
        ...env,
      },
    });
    running.add(child);
    if (yields) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    if (capture) child.stdout.on('data', (chunk) => (output += chunk));
    else forward(step, child.stdout);
    forward(step, child.stderr);
    child.once('error', (error) => finish(1, String(error)));
    child.once('close', (code) => finish(code ?? 1));

    function finish(code, error) {
      running.delete(child);
      if (error) say(step, error);
      resolve({ code, output });
    }
  });
}

export function say(step, line) {
  process.stdout.write(`[${step}] ${line}\n`);
}

function forward(step, stream) {
  createInterface({ input: stream }).on('line', (line) => say(step, line));
}

/** Registers a process that leads its own group, for `endAll`. */
export function untilEnded(child) {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** Kills every running command with its children. */
export async function endAll() {
  const ended = [...running].map((child) => {
    process.kill(-child.pid, 'SIGKILL');
    return new Promise((resolve) => child.once('close', resolve));
  });
  await Promise.all(ended);
}
