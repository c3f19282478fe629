import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;
const START_DEADLINE_MS = 120_000;

export interface Child {
  /** User and system time that the process has used, in seconds (Linux only). */
  cpuSeconds(): number;
  /** Memory that the process has in RAM (Linux only). */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** A Node process that is up once `readyUrl` answers 200. */
export async function startChild(
  args: readonly string[],
  env: Record<string, string>,
  readyUrl: string,
): Promise<Child> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    const response = await fetch(readyUrl).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) break;
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`${args.join(' ')} is not ready: ${readyUrl} ${response?.status ?? ''}`);
    }
    await delay(100);
  }
  return {
    cpuSeconds: () => cpuSecondsOf(child.pid),
    residentBytes: () => residentBytesOf(child.pid),
    stop,
  };
}

function cpuSecondsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentBytesOf(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
