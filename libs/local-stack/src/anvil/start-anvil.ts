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
  /** Seconds between blocks; transactions are mined at once in any case. */
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
  const pidFile = join(dirname(options.stateFile), `${name}.pid`);
  const stop = async (pid: number) => {
    await endProcess(pid, 5_000);
    rmSync(pidFile, { force: true });
  };

  const running = runningAnvil(pidFile, options.stateFile);
  if (running !== null) {
    if (await answersAs(rpcUrl, options.chainId)) {
      return { rpcUrl, pid: running, adopted: true, stop: () => stop(running) };
    }
    await stop(running);
  }
  if (!(await isPortFree(port))) {
    throw new PortInUseError(port, `chain ${name}`, `${name.toUpperCase()}_PORT`);
  }

  const pid = launch(options, pidFile);
  const up = await waitUntil(
    async () => !isAlive(pid) || (await answersAs(rpcUrl, options.chainId)),
    30_000,
  );
  if (!up || !isAlive(pid)) {
    await stop(pid);
    throw new Error(`chain ${name} did not start; see ${logFile(options)}`);
  }
  return { rpcUrl, pid, adopted: false, stop: () => stop(pid) };
}

const logFile = ({ stateFile, name }: AnvilOptions) => join(dirname(stateFile), `${name}.log`);

function launch(options: AnvilOptions, pidFile: string): number {
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
  writeFileSync(pidFile, String(child.pid));
  return child.pid;
}

function launchArguments(options: AnvilOptions, cache: string): string[] {
  const { chainId, port, stateFile, blockTimeSeconds = 1 } = options;
  return [
    ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet'],
    // Blocks come at once for transactions, and regularly so that time moves for deadlines.
    ['--block-time', String(blockTimeSeconds), '--mixed-mining'],
    ['--state', stateFile, '--state-interval', '2'],
    // Unbounded, each block costs 0.3 MB of memory; historical states in the file would be 0.4 MB.
    ['--max-persisted-states', '64', '--cache-path', cache],
  ].flat();
}

// The state file's path in the command line tells our chain from any other process.
function runningAnvil(pidFile: string, stateFile: string): number | null {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile, 'utf8'));
  } catch {
    return null;
  }
  return isAlive(pid) && commandLine(pid).includes(stateFile) ? pid : null;
}

async function answersAs(rpcUrl: string, chainId: number): Promise<boolean> {
  try {
    return Number(await rpcCall(rpcUrl, 'eth_chainId', [], 1_000)) === chainId;
  } catch {
    return false;
  }
}
