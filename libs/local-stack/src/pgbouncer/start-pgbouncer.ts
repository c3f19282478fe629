import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isPortFree, PortInUseError } from '../ports.js';
import { reachable, serverUser, type ServerUser } from '../postgres/server-user.js';
import { commandLine, endProcess, isAlive, waitUntil } from '../processes.js';

export interface PgBouncerOptions {
  /** Configuration, log and process id live here. */
  directory: string;
  port: number;
  /** Port of Postgres on this machine. */
  postgresPort: number;
  /** Passwords by role. */
  users: Readonly<Record<string, string>>;
  /** Server connections of each role and database; all clients share them. */
  poolSize: number;
  /** Parameters of connections that it drops; it refuses all other unknown ones. */
  ignored?: readonly string[];
}

export interface LocalPgBouncer {
  stop(): Promise<void>;
}

/** Debian keeps it where only root searches for programs. */
const PROGRAM = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer';
const MISSING = 'pgbouncer was not found: install PgBouncer (Debian: apt-get install pgbouncer)';

/** Starts the machine's PgBouncer in transaction mode, in a session of its own. Replaces one of the same directory. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<LocalPgBouncer> {
  const { port } = options;
  const user = serverUser();
  const directory = reachable(options.directory, user);
  const stop = () => stopPgBouncer(options.directory);
  await stop();
  if (!(await isPortFree(port))) throw new PortInUseError(port, 'PgBouncer', 'PGBOUNCER_PORT');
  writeConfiguration(directory, options, user);
  const pid = await launch(directory, user);
  const up = await waitUntil(async () => !isAlive(pid) || (await accepts(port)), 10_000);
  if (!up || !isAlive(pid)) {
    await stop();
    throw new Error(`PgBouncer did not start; see ${logFile(directory)}`);
  }
  return { stop };
}

/** Stops the one of a directory, also one that another process started. */
async function stopPgBouncer(directory: string): Promise<void> {
  const pid = pgBouncerPid(directory);
  // SIGTERM ends it at once; open transactions are rolled back by the server.
  if (pid !== null) await endProcess(pid, 5_000);
}

/** Forgets a directory and all that is in it. */
export async function removePgBouncer(directory: string): Promise<void> {
  await stopPgBouncer(directory);
  rmSync(reachable(directory, serverUser()), { recursive: true, force: true });
}

/** The process of a directory, when it runs. */
function pgBouncerPid(directory: string): number | null {
  const place = reachable(directory, serverUser());
  const file = pidFile(place);
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  // The directory in the command line identifies ours among other processes.
  return isAlive(pid) && commandLine(pid).includes(place) ? pid : null;
}

const pidFile = (directory: string) => join(directory, 'process.pid');
const logFile = (directory: string) => join(directory, 'pgbouncer.log');
const settingsFile = (directory: string) => join(directory, 'pgbouncer.ini');

function writeConfiguration(
  directory: string,
  { port, postgresPort, poolSize, users, ignored = [] }: PgBouncerOptions,
  user: ServerUser | null,
): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  const usersFile = join(directory, 'users.txt');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: usersFile,
    // For SHOW in the database `pgbouncer`.
    stats_users: Object.keys(users).join(','),
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 1_000,
    ignore_startup_parameters: ignored.join(','),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const text = `[databases]\n* = host=127.0.0.1 port=${postgresPort}\n[pgbouncer]\n${lines.join('\n')}\n`;
  const entries = Object.entries(users).map(
    ([name, password]) => `${inQuotes(name)} ${inQuotes(password)}`,
  );
  writeFileSync(settingsFile(directory), text, { mode: 0o600 });
  writeFileSync(usersFile, `${entries.join('\n')}\n`, { mode: 0o600 });
  if (user === null) return;
  for (const path of [directory, settingsFile(directory), usersFile]) {
    chownSync(path, user.uid, user.gid);
  }
}

const inQuotes = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function launch(directory: string, user: ServerUser | null): Promise<number> {
  const log = openSync(logFile(directory), 'a');
  const child = spawn(PROGRAM, [settingsFile(directory)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    ...(user ?? {}),
  });
  closeSync(log);
  child.unref();
  const pid = await new Promise<number | undefined>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error(MISSING, { cause: error }) : error);
    });
    child.once('spawn', () => resolve(child.pid));
  });
  if (pid === undefined) throw new Error('PgBouncer could not be started');
  writeFileSync(pidFile(directory), String(pid));
  return pid;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
