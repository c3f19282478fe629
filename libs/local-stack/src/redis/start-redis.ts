import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPortFree, PortInUseError } from '../ports.js';
import { commandLine, endProcess, isAlive, waitUntil } from '../processes.js';
import { answersPing } from './ping.js';

export interface RedisOptions {
  /** Log and process id live here. */
  directory: string;
  port: number;
  /** Adds an encrypted listener, with a certificate and its key in PEM. */
  tls?: { port: number; cert: string; key: string };
}

export interface LocalRedis {
  url: string;
  pid: number;
  /** A server left running by an earlier start was taken over. */
  adopted: boolean;
  stop(): Promise<void>;
}

/** Starts the machine's Redis in a session of its own, or takes over the one that still runs. Nothing is kept on disk. */
export async function startRedis(options: RedisOptions): Promise<LocalRedis> {
  const { directory, port } = options;
  const url = `redis://127.0.0.1:${port}`;
  const stop = () => stopRedis(directory);

  const running = redisPid(directory);
  if (running !== null) {
    if (await answersPing(port)) return { url, pid: running, adopted: true, stop };
    // Ours, but on another port, or no longer answering.
    await stop();
  }
  if (!(await isPortFree(port))) throw new PortInUseError(port, 'Redis', 'REDIS_PORT');

  const pid = await launch(options);
  const up = await waitUntil(async () => !isAlive(pid) || (await answersPing(port)), 10_000);
  if (!up || !isAlive(pid)) {
    await stop();
    throw new Error(`Redis did not start; see ${logFile(directory)}`);
  }
  return { url, pid, adopted: false, stop };
}

/** Stops the server of a directory, also one that another process started. */
export async function stopRedis(directory: string): Promise<void> {
  const pid = redisPid(directory);
  if (pid !== null) {
    // A stopped (SIGSTOP) server does not handle SIGTERM.
    process.kill(pid, 'SIGCONT');
    await endProcess(pid, 5_000);
  }
  rmSync(pidFile(directory), { force: true });
}

/** Forgets a directory and all that is in it. */
export async function removeRedis(directory: string): Promise<void> {
  await stopRedis(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** The process of a directory's server, when it runs. */
export function redisPid(directory: string): number | null {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile(directory), 'utf8'));
  } catch {
    return null;
  }
  // The directory in the command line identifies our server among other processes.
  return isAlive(pid) && commandLine(pid).includes(directory) ? pid : null;
}

const pidFile = (directory: string) => join(directory, 'redis.pid');
const logFile = (directory: string) => join(directory, 'redis.log');

async function launch(options: RedisOptions): Promise<number> {
  const { directory } = options;
  mkdirSync(directory, { recursive: true });
  const log = openSync(logFile(directory), 'a');
  const child = spawn('redis-server', launchArguments(options), {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const pid = await new Promise<number | undefined>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing =
        'redis-server was not found: install Redis (Debian: apt-get install redis-server)';
      reject(error.code === 'ENOENT' ? new Error(missing, { cause: error }) : error);
    });
    child.once('spawn', () => resolve(child.pid));
  });
  if (pid === undefined) throw new Error('Redis could not be started');
  writeFileSync(pidFile(directory), String(pid));
  return pid;
}

function launchArguments({ directory, port, tls }: RedisOptions): string[] {
  return [
    ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory],
    ['--save', '', '--appendonly', 'no'],
    // Otherwise the directory would vanish from the command line.
    ['--set-proc-title', 'no'],
    tls === undefined ? [] : tlsArguments(directory, tls),
  ].flat();
}

function tlsArguments(directory: string, tls: NonNullable<RedisOptions['tls']>): string[] {
  const [certFile, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')];
  writeFileSync(certFile, tls.cert);
  writeFileSync(keyFile, tls.key, { mode: 0o600 });
  return ['--tls-port', String(tls.port), '--tls-auth-clients', 'no'].concat([
    ...['--tls-cert-file', certFile],
    ...['--tls-key-file', keyFile],
    ...['--tls-ca-cert-file', certFile],
  ]);
}
