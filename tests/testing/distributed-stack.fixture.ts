import { redisPid, startKafka, startPostgres, startRedis, stopKafka } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  distributedPaths,
  type DistributedPaths,
  loadSecrets,
  stackPaths,
  type ServiceName,
  type StackFile,
  type StackService,
} from '@bascule/composition';
import {
  PORTS,
  reserveStackPorts,
  StackProcess,
  type Ports,
  type StackPorts,
} from './stack-process.fixture.js';

const OWN_PORTS = [
  'KAFKA_PORT',
  'KAFKA_CONTROLLER_PORT',
  'REDIS_PORT',
  'REPLICA_PORTS_FROM',
] as const;
const DISTRIBUTED_PORTS = [...PORTS, ...OWN_PORTS] as const;
const BALANCED_REPLICAS = 6;
const RESTART_MS = 90_000;

type DistributedPorts = Ports<(typeof DISTRIBUTED_PORTS)[number]>;
type RunningReplica = StackService & { pid: number };

/** The stack of `npm run start:distributed`: every service a process of its own, with a directory and ports of its own. */
export class DistributedStack extends StackProcess {
  readonly paths: DistributedPaths;

  private constructor(
    name: string,
    private readonly distributed: StackPorts<(typeof DISTRIBUTED_PORTS)[number]>,
  ) {
    super(name, distributed, 'distributed');
    this.paths = distributedPaths(stackPaths(this.directory));
  }

  static override async create(name: string): Promise<DistributedStack> {
    // The replicas' ports follow the last.
    const reserved = await reserveStackPorts(DISTRIBUTED_PORTS, BALANCED_REPLICAS);
    return new DistributedStack(name, reserved);
  }

  override get ports(): DistributedPorts {
    return this.distributed.byName;
  }

  /** The superuser's URL of its Postgres, which sees every service's schema. */
  get adminUrl(): string {
    const { postgresPassword } = loadSecrets(this.paths.secretsFile);
    const host = `127.0.0.1:${this.ports.POSTGRES_PORT}`;
    return `postgres://postgres:${encodeURIComponent(postgresPassword)}@${host}/postgres`;
  }

  /** All replicas in the current `stack.json`. */
  services(): StackService[] {
    return this.runningFile().services ?? [];
  }

  /** @throws Error when this replica has no process just now */
  service(name: ServiceName, replica = 1): RunningReplica {
    const found = this.services().find((each) => each.name === name && each.replica === replica);
    if (!found || found.pid === null) throw new Error(`${name}-${replica} is not running`);
    return { ...found, pid: found.pid };
  }

  /** Returns the process that was signalled. */
  signal(name: ServiceName, replica: number, signal: NodeJS.Signals): number {
    const { pid } = this.service(name, replica);
    process.kill(pid, signal);
    return pid;
  }

  /** Whether this replica's process is ready, checked without the balancer. */
  async isReady(name: ServiceName, replica = 1): Promise<boolean> {
    const found = this.services().find((s) => s.name === name && s.replica === replica);
    const response = await fetch(`http://127.0.0.1:${found?.operations_port}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    await response?.text();
    return response?.ok === true;
  }

  /** Returns when another process than `pid` runs in its place and is ready. */
  async replaced(name: ServiceName, replica: number, pid: number): Promise<RunningReplica> {
    return eventually(
      async () => {
        const now = this.service(name, replica);
        if (now.pid === pid) throw new Error(`${name}-${replica} is still process ${pid}`);
        if (!(await this.isReady(name, replica)))
          throw new Error(`${name}-${replica} is not ready`);
        return now;
      },
      { timeoutMs: RESTART_MS, intervalMs: 100 },
    );
  }

  /** Returns when every process of the services that have two is another one and ready. */
  async rollingRestart(): Promise<void> {
    const twins = this.services().filter(({ name, replica }) =>
      this.services().some((other) => other.name === name && other.replica !== replica),
    );
    process.kill(this.runningFile().pid, 'SIGHUP');
    for (const { name, replica, pid } of twins) await this.replaced(name, replica, pid ?? 0);
  }

  log(name: ServiceName, replica = 1): string {
    return readFileSync(this.paths.logFile(name, replica), 'utf8');
  }

  /** Last words of processes that ended by themselves. */
  failures(): string[] {
    return this.services().flatMap(({ name, replica }) =>
      this.log(name, replica)
        .split('\n')
        .filter((line) => line.includes('"level":"fatal"')),
    );
  }

  /** The process of the local Redis. */
  redisPid(): number {
    const pid = redisPid(this.paths.redisDirectory);
    if (pid === null) throw new Error('Redis is not running');
    return pid;
  }

  async restartKafka(away: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const directory = this.paths.kafkaDirectory;
    await stopKafka(directory);
    await away();
    await startKafka({
      directory,
      port: this.ports.KAFKA_PORT,
      controllerPort: this.ports.KAFKA_CONTROLLER_PORT,
    });
  }

  async restartPostgres(away: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const options = {
      dataDir: this.paths.postgresData,
      port: this.ports.POSTGRES_PORT,
      password: loadSecrets(this.paths.secretsFile).postgresPassword,
      durable: false,
    };
    const server = await startPostgres(options);
    await server.stop();
    await away();
    await startPostgres(options);
  }

  async restartRedis(away: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const options = { directory: this.paths.redisDirectory, port: this.ports.REDIS_PORT };
    const server = await startRedis(options);
    await server.stop();
    await away();
    await startRedis(options);
  }

  /** @param attester from 1 */
  attesterPid(attester: number): number {
    return Number(readFileSync(this.paths.pidFile('attester', attester), 'utf8'));
  }

  /** Postgres, the chains, Kafka and Redis, by process id. */
  override serverPids(): number[] {
    const kafka = join(this.paths.kafkaDirectory, 'node-1/broker.pid');
    const pids = super.serverPids(this.paths.stateDirectory);
    return [...pids, Number(readFileSync(kafka, 'utf8')), this.redisPid()];
  }

  private runningFile(): StackFile {
    const file = this.stackFile();
    if (!file) throw new Error(`the stack is not running:\n${this.output}`);
    return file;
  }
}
