import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServicePlan, Told } from './service-program.js';

const LOADER = join(import.meta.dirname, '../../../../tools/jest/source-process.mjs');
const PROGRAM = join(import.meta.dirname, 'service-program.ts');

/** A process of a service, which a test may stop, kill and replace. */
export interface ServiceProcess {
  /** What it has told so far: `begun` and `handled`, as `key:version`. */
  told: Told[];
  /** As Kubernetes does; resolves to the exit code. */
  terminate(): Promise<number | null>;
  kill(): Promise<void>;
  /** Resolves when it ended by itself, to the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
}

/** Resolves when the process consumes, or relays. */
export async function startServiceProcess(
  plan: ServicePlan,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const child = fork(PROGRAM, {
    execArgv: ['--conditions=@bascule/source', '--import', LOADER],
    env: { PATH: process.env['PATH'], SERVICE_PLAN: JSON.stringify(plan), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told: Told[] = [];
  child.on('message', (message) => told.push(message as Told));
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await isUp(child, exit);
  return {
    told,
    ended: exit.then(([, signal]) => signal),
    terminate: async () => {
      child.kill('SIGTERM');
      return (await exit)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function isUp(child: ChildProcess, exit: Promise<unknown[]>): Promise<void> {
  const ended = exit.then(([code, signal]) => {
    throw new Error(`the process ended before it was up: ${String(code ?? signal)}`);
  });
  await Promise.race([once(child, 'message'), ended]);
}
