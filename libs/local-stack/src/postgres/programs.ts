import { spawn } from 'node:child_process';
import type { ServerUser } from './server-user.js';

/** Runs one of the server's programs to its end; its output is in the error when it fails. */
export function runProgram(
  program: string,
  args: string[],
  user: ServerUser | null,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: '/',
      // Its own session: Ctrl-C in the terminal must not reach the server.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      ...(user ?? {}),
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    // Not 'close': a server started by pg_ctl may keep the pipes open.
    child.once('exit', (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}: ${output.trim()}`));
    });
  });
}
