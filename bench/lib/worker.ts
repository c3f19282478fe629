import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** User and system time that a process has used, in seconds (Linux only). */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** A process of the benchmark's own that says when it is up, and answers one message at a time. */
export interface Worker {
  cpuSeconds(): number;
  ask<Answer>(message: object): Promise<Answer>;
  tell(message: object): void;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** @param nodeOptions of Node's own, e.g. for V8 */
export async function startWorker(
  file: string,
  env: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<Worker> {
  const child: ChildProcess = fork(file, {
    execArgv: ['--import', './tools/source-loader.mjs', ...nodeOptions],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit');
  const next = async (): Promise<unknown> => {
    const gone = exited.then(() => Promise.reject(new Error(`${file} ended`)));
    const [message] = (await Promise.race([once(child, 'message'), gone])) as unknown[];
    return message;
  };
  await next();
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    ask: async <Answer>(message: object): Promise<Answer> => {
      const answer = next();
      child.send(message);
      return (await answer) as Answer;
    },
    tell: (message) => child.send(message),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** The other side, in the worker: says that it is up and answers what it is asked. */
export function serveParent(answer?: (message: object) => Promise<object | undefined>): void {
  process.on('message', (message: object) => {
    void answer?.(message).then((result) => {
      if (result !== undefined) process.send?.(result);
    });
  });
  process.once('SIGTERM', () => process.exit(0));
  process.send?.({ up: true });
}
