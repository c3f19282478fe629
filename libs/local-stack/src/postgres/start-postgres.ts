import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { isPortFree, PortInUseError } from '../ports.js';
import { commandLine } from '../processes.js';
import { clusterAt, initialise, runningServer, writeCertificate, type Cluster } from './cluster.js';
import { runProgram } from './programs.js';

export interface PostgresOptions {
  dataDir: string;
  port: number;
  /** Password of the superuser `postgres`, set when the cluster is created. */
  password?: string;
  /** false: faster, but data is lost when the machine (not the process) crashes. For tests. */
  durable?: boolean;
  maxConnections?: number;
  /** Takes encrypted connections as well, with a certificate and its key in PEM. */
  tls?: { cert: string; key: string };
}

export interface LocalPostgres {
  /** The superuser's URL of the database `postgres`. */
  adminUrl: string;
  /** A server left by an earlier start was taken over. */
  adopted: boolean;
  stop(): Promise<void>;
}

/** Starts the local server in a session of its own, or takes over the one that still runs. */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const { port, password = 'postgres' } = options;
  const cluster = clusterAt(options.dataDir);
  const adminUrl = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const stop = () => stopCluster(cluster);

  const running = runningServer(cluster.dataDir);
  if (running && (await isOurs(adminUrl, cluster, running))) {
    return { adminUrl, adopted: true, stop };
  }
  // Ours, but on another port, or no longer answering; a recycled process id is left alone.
  if (running && commandLine(running.pid).includes('postgres')) await stop();
  if (!(await isPortFree(port))) throw new PortInUseError(port, 'Postgres', 'POSTGRES_PORT');

  await initialise(cluster, password);
  if (options.tls) writeCertificate(cluster, options.tls);
  await runProgram(cluster.binaries.pgCtl, startArguments(cluster, options), cluster.user);
  return { adminUrl, adopted: false, stop };
}

/** Stops the server of a data directory, also one that another process started. */
export async function stopPostgres(dataDir: string): Promise<void> {
  const cluster = clusterAt(dataDir);
  if (runningServer(cluster.dataDir)) await stopCluster(cluster);
}

/** The process of a data directory's server, when it runs. */
export function postgresPid(dataDir: string): number | null {
  return runningServer(clusterAt(dataDir).dataDir)?.pid ?? null;
}

/** Forgets a data directory and all that is in it. */
export async function removePostgres(dataDir: string): Promise<void> {
  await stopPostgres(dataDir);
  rmSync(clusterAt(dataDir).dataDir, { recursive: true, force: true });
}

async function stopCluster({ binaries, dataDir, user }: Cluster): Promise<void> {
  if (!runningServer(dataDir)) return;
  await runProgram(binaries.pgCtl, ['stop', '-D', dataDir, '-m', 'fast', '-t', '8', '-w'], user);
}

function startArguments({ dataDir }: Cluster, options: PostgresOptions): string[] {
  const settings: Record<string, string | number> = {
    port: options.port,
    listen_addresses: '127.0.0.1',
    // Sockets in a shared folder would collide, and their path can be too long.
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    shared_buffers: '64MB',
    ssl: options.tls ? 'on' : 'off',
    ...(options.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const log = join(dataDir, 'server.log');
  return ['start', '-D', dataDir, '-l', log, '-w', '-t', '60', '-o', flags.join(' ')];
}

async function isOurs(
  adminUrl: string,
  cluster: Cluster,
  running: { port: number },
): Promise<boolean> {
  if (running.port !== Number(new URL(adminUrl).port)) return false;
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === cluster.dataDir;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
