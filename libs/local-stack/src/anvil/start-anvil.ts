import { spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPortFree, PortInUseError } from '../ports.js';
import { commandLine, endProcess, isAlive, waitUntil } from '../processes.js';
import { anvilBinary } from './binary.js';
import { rpcCall } from './json-rpc.js';

export interface AnvilOptions {
  name: string;
  chainId: number;
  port: number;
  /** Keeps the chain across restarts; log and process id live beside it. */
  stateFile: string;
  /** Seconds between blocks; transactions are mined immediately in any case. */
  blockTimeSeconds?: number;
}

export interface LocalChain {
  rpcUrl: string;
  pid: number;
  /** A chain left running by an earlier start was taken over. */
  adopted: boolean;
  stop(): Promise<void>;
}

/** Starts a development chain in a session of its own, or takes over the one that still runs. */
export async function startAnvil(options: AnvilOptions): Promise<LocalChain> {
  const { name, port } = options;
  const rpcUrl = `http://127.0.0.1:${port}`;
  const stop = () => stopAnvil(options);

  const running = runningAnvil(options);
  if (running !== null) {
    if (await answersAs(rpcUrl, options.chainId)) {
      return { rpcUrl, pid: running, adopted: true, stop };
    }
    await stop();
  }
  if (!(await isPortFree(port))) {
    throw new PortInUseError(port, `chain ${name}`, `${name.toUpperCase()}_PORT`);
  }

  const pid = launch(options);
  const up = await waitUntil(
    async () => !isAlive(pid) || (await answersAs(rpcUrl, options.chainId)),
    30_000,
  );
  if (!up || !isAlive(pid)) {
    await stop();
    throw new Error(`chain ${name} did not start; see ${logFile(options)}`);
  }
  return { rpcUrl, pid, adopted: false, stop };
}

/** Stops the chain with this state file, also one that another process started. */
export async function stopAnvil(chain: Pick<AnvilOptions, 'name' | 'stateFile'>): Promise<void> {
  const pid = runningAnvil(chain);
  if (pid !== null) await endProcess(pid, 5_000);
  rmSync(pidFile(chain), { force: true });
}

const pidFile = ({ stateFile, name }: Pick<AnvilOptions, 'name' | 'stateFile'>) =>
  join(dirname(stateFile), `${name}.pid`);

const logFile = ({ stateFile, name }: AnvilOptions) => join(dirname(stateFile), `${name}.log`);

function launch(options: AnvilOptions): number {
  const directory = dirname(options.stateFile);
  const cache = join(directory, `${options.name}.cache`);
  mkdirSync(directory, { recursive: true });
  rmSync(cache, { recursive: true, force: true });
  const log = openSync(logFile(options), 'a');
  const child = spawn(anvilBinary(), launchArguments(options, cache), {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  if (child.pid === undefined) throw new Error(`chain ${options.name} could not be started`);
  writeFileSync(pidFile(options), String(child.pid));
  return child.pid;
}

function launchArguments(options: AnvilOptions, cache: string): string[] {
  const { chainId, port, stateFile, blockTimeSeconds = 1 } = options;
  return [
    ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet'],
    // Transactions are mined immediately; interval blocks move the time forward for deadlines.
    ['--block-time', String(blockTimeSeconds), '--mixed-mining'],
    ['--state', stateFile, '--state-interval', '2'],
    // Unbounded, each block costs 0.3 MB of memory; historical states in the file would be 0.4 MB.
    ['--max-persisted-states', '64', '--cache-path', cache],
  ].flat();
}

// The state file's path in the command line identifies our chain among other processes.
function runningAnvil(chain: Pick<AnvilOptions, 'name' | 'stateFile'>): number | null {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile(chain), 'utf8'));
  } catch {
    return null;
  }
  return isAlive(pid) && commandLine(pid).includes(chain.stateFile) ? pid : null;
}

async function answersAs(rpcUrl: string, chainId: number): Promise<boolean> {
  try {
    return Number(await rpcCall(rpcUrl, 'eth_chainId', [], 1_000)) === chainId;
  } catch {
    return false;
  }
}
