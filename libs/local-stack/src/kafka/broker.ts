import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isPortFree, PortInUseError } from '../ports.js';
import { commandLine, endProcess, isAlive, waitUntil } from '../processes.js';
import { fromClassArchive } from './class-archive.js';
import { kafkaClassPath, run } from './jars.js';
import type { Node } from './layout.js';
import { hasStarted, LOGGING } from './properties.js';

const START_MS = 150_000;
const STOP_MS = 8_000;
const MAIN = 'kafka.Kafka';

export interface BrokerSetup {
  node: Node;
  clusterId: string;
  properties: string;
  formatArguments: string[];
  heapMb: number;
  archiveClassesTo: string | undefined;
}

/** One node: a process in a session of its own, which the next start takes over. */
export class Broker {
  private readonly setup: BrokerSetup;

  constructor(setup: BrokerSetup) {
    this.setup = setup;
  }

  get address(): string {
    return `127.0.0.1:${this.setup.node.port}`;
  }

  get pid(): number | null {
    return runningBroker(this.setup.node.directory);
  }

  /** Resolves to true when a running broker was taken over. */
  async start(): Promise<boolean> {
    const { node, properties } = this.setup;
    const file = join(node.directory, 'server.properties');
    if (this.pid !== null) {
      const unchanged = existsSync(file) && readFileSync(file, 'utf8') === properties;
      if (unchanged && (await accepts(node.port))) return true;
      await this.stop();
    }
    // The threads of a killed broker end separately; the last one closes its port.
    if (!(await waitUntil(() => isPortFree(node.port), 1_000))) {
      throw new PortInUseError(node.port, 'Kafka', 'KAFKA_PORT');
    }
    mkdirSync(node.directory, { recursive: true });
    writeFileSync(file, properties, { mode: 0o600 });
    writeFileSync(join(node.directory, 'log4j2.properties'), LOGGING);
    await this.format(file);
    await this.launch(file);
    return false;
  }

  async stop(withinMs = STOP_MS): Promise<void> {
    const { pid } = this;
    if (pid !== null) await endProcess(pid, withinMs);
    rmSync(pidFile(this.setup.node.directory), { force: true });
  }

  /** Kills the broker with SIGKILL, as a power loss would. */
  async kill(): Promise<void> {
    const { pid } = this;
    if (pid === null) return;
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => !isAlive(pid), STOP_MS);
  }

  private async format(properties: string): Promise<void> {
    const { node, clusterId, formatArguments } = this.setup;
    if (existsSync(join(node.directory, 'data', 'meta.properties'))) return;
    await run('java', [
      ...[...fromClassArchive(), ...(await this.java('64'))],
      'kafka.tools.StorageTool',
      ...['format', '--cluster-id', clusterId, '--config', properties, '--ignore-formatted'],
      ...formatArguments,
    ]);
  }

  private async launch(properties: string): Promise<void> {
    const { node, heapMb, archiveClassesTo } = this.setup;
    const logFile = join(node.directory, 'server.log');
    const log = openSync(logFile, 'a');
    const before = statSync(logFile).size;
    const archiving =
      archiveClassesTo === undefined
        ? fromClassArchive()
        : [`-XX:ArchiveClassesAtExit=${archiveClassesTo}`];
    const args = [...archiving, ...(await this.java(String(heapMb))), MAIN, properties];
    const child = spawn('java', args, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    const { pid } = child;
    if (pid === undefined) throw new Error('the Kafka broker could not be started');
    writeFileSync(pidFile(node.directory), String(pid));
    const up = await waitUntil(() => !isAlive(pid) || hasStarted(logFile, before), START_MS);
    if (up && isAlive(pid)) return;
    await this.stop();
    throw new Error(`the Kafka broker did not start; see ${logFile}`);
  }

  private async java(heapMb: string): Promise<string[]> {
    const { directory } = this.setup.node;
    return [
      ...[`-Xmx${heapMb}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'],
      `-Dlog4j2.configurationFile=${join(directory, 'log4j2.properties')}`,
      ...['-cp', await kafkaClassPath()],
    ];
  }
}

const pidFile = (directory: string) => join(directory, 'broker.pid');

/** The folder's path in the command line identifies our broker among other processes. */
export function runningBroker(directory: string): number | null {
  if (!existsSync(pidFile(directory))) return null;
  const pid = Number(readFileSync(pidFile(directory), 'utf8'));
  return isAlive(pid) && commandLine(pid).includes(directory) ? pid : null;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => {
      answer(true);
    });
    socket.once('error', () => {
      answer(false);
    });
  });
}
