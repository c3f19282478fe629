import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// A killed child still accepts signal 0 until its parent has waited for it.
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const hasEnded = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    // Other threads may outlive the first for a moment, and keep ports and files open.
    return hasEnded && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

/** The command line of a process, or '' when it is gone or not ours to see. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = 25,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** Sends SIGTERM to a process, and SIGKILL when it does not exit. */
export async function endProcess(pid: number, timeoutMs: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  if (await waitUntil(() => !isAlive(pid), timeoutMs)) return;
  process.kill(pid, 'SIGKILL');
  await waitUntil(() => !isAlive(pid), 2_000);
}
