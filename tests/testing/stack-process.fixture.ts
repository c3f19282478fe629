import { postgresPid, reservePorts } from '@bascule/local-stack';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StackFile } from '@bascule/composition';

const repository = fileURLToPath(new URL('../..', import.meta.url));

export const PORTS = [
  'GATEWAY_PORT',
  'QUOTE_PORT',
  'PAYMENT_PORT',
  'WITHDRAWAL_PORT',
  'CATALOGUE_PORT',
  'WEBHOOK_DISPATCH_PORT',
  'SANDBOX_PROVIDER_PORT',
  'SOLVER_PORT',
  'ATTESTER_1_PORT',
  'ATTESTER_2_PORT',
  'ATTESTER_3_PORT',
  'POSTGRES_PORT',
  'ALPHANET_PORT',
  'BETANET_PORT',
] as const;
type PortName = (typeof PORTS)[number];
export type Ports<Name extends string = PortName> = Record<Name, number>;

/** Ports of what runs only where they are set. */
type OptionalPort =
  | 'DELTANET_PORT'
  | 'PGBOUNCER_PORT'
  | 'MOONPAY_LAB_PORT'
  | 'STRIPE_LAB_PORT'
  | 'COINBASE_LAB_PORT'
  | 'TRANSAK_LAB_PORT'
  | 'ZEROX_LAB_PORT'
  | 'LIFI_LAB_PORT';

const START_MS = 150_000;

const execute = promisify(execFile);

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** The built stack as a user starts it: a process, a directory and ports of its own. */
export class StackProcess {
  readonly directory: string;
  output = '';
  /** Environment of the stack and of programs that run beside it. */
  readonly environment: Record<string, string>;
  private child: ChildProcess | undefined;
  private exit: Promise<Exit> = Promise.resolve({ code: null, signal: null });

  protected constructor(
    name: string,
    private readonly reserved: StackPorts,
    private readonly app = 'standalone',
  ) {
    this.directory = join(repository, `.local/e2e/${name}-${process.pid}`);
    this.environment = {
      STACK_DIRECTORY: this.directory,
      POSTGRES_DURABLE: 'false',
      // The tests are one visitor, who asks for more quotes in a second than its share of the default.
      MAX_QUOTES_PER_SECOND: '10000',
      ...Object.fromEntries(
        Object.entries(reserved.byName).map(([port, number]) => [port, String(number)]),
      ),
    };
  }

  /** @param optional ports of servers that start only where these are set */
  static async create(name: string, optional: readonly OptionalPort[] = []): Promise<StackProcess> {
    return new StackProcess(name, await reserveStackPorts([...PORTS, ...optional]));
  }

  get ports(): Ports {
    return this.reserved.byName;
  }

  /** Returns when the stack responds. */
  async start(environment: Record<string, string> = {}): Promise<StackFile> {
    this.spawn(environment);
    const child = this.child;
    let exited = false;
    void this.exit.then(() => (exited = true));
    const deadline = Date.now() + START_MS;
    for (;;) {
      if (exited) throw new Error(`the stack did not start:\n${this.output}`);
      const stack = this.stackFile();
      if (stack?.pid === child?.pid && stack) return stack;
      if (Date.now() > deadline) throw new Error(`the stack starts too long:\n${this.output}`);
      await delay(50);
    }
  }

  /** Starts without expecting that it succeeds. */
  spawn(environment: Record<string, string> = {}): void {
    mkdirSync(this.directory, { recursive: true });
    const child = spawn(process.execPath, [join(repository, `bundle/${this.app}.js`)], {
      cwd: repository,
      env: { ...cleanEnvironment(), ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // For the next run, which ends the processes of a killed one.
    writeFileSync(join(this.directory, 'process.pid'), String(child.pid));
    this.output = '';
    const collect = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    this.child = child;
    this.exit = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Waits for the end of the process. */
  async exited(timeoutMs: number): Promise<Exit> {
    const late = delay(timeoutMs, null, { ref: false });
    const exit = await Promise.race([this.exit, late]);
    if (!exit) throw new Error(`still running after ${timeoutMs} ms:\n${this.output}`);
    return exit;
  }

  isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.child?.kill(signal);
    return this.exited(40_000);
  }

  stackFile(): StackFile | null {
    const path = join(this.directory, 'stack.json');
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StackFile) : null;
  }

  /** Postgres and the chains, by process id. */
  serverPids(directory = this.directory): number[] {
    const chains = join(directory, 'chains');
    const chainPids = readdirSync(chains)
      .filter((name) => name.endsWith('.pid'))
      .map((name) => Number(readFileSync(join(chains, name), 'utf8')));
    const postgres = postgresPid(join(directory, 'postgres'));
    return postgres === null ? chainPids : [...chainPids, postgres];
  }

  /** Runs the command line of operators beside this stack. */
  operator(...args: string[]): Promise<string> {
    return this.run([join(repository, 'tools/operator.mjs'), ...args]);
  }

  reset(): Promise<string> {
    return this.run([join(repository, 'apps/distributed/dist/reset.js')]);
  }

  /** Leaves nothing behind, however the test went. */
  async dispose(): Promise<void> {
    if (this.isRunning()) await this.stop('SIGKILL');
    await this.reset();
    rmSync(this.directory, { recursive: true, force: true });
    this.reserved.release();
  }

  /** Leaves the event loop free: a blocked one keeps using connections that their server has closed. */
  private async run(args: string[]): Promise<string> {
    try {
      const { stdout } = await execute(process.execPath, args, {
        cwd: repository,
        env: { ...cleanEnvironment(), ...this.environment },
      });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')} failed: ${stderr}${stdout}`, { cause: error });
    }
  }
}

/** Environment without the variables that Jest sets for itself. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_ENV: __, ...environment } = process.env;
  return environment;
}

/** The ports of a stack, reserved until it is disposed. */
export interface StackPorts<Name extends string = PortName> {
  byName: Ports<Name>;
  release(): void;
}

/** Ports for health and metrics: of eight services, three attesters and three second replicas. */
const OPERATIONS_PORTS = 14;

/**
 * Reserves a port for each name, and those for health and metrics.
 * @param further consecutive free ports after the last name's
 */
export async function reserveStackPorts<Name extends string>(
  names: readonly Name[],
  further = 0,
): Promise<StackPorts<Name>> {
  const beforeOperations = names.length + further;
  const { ports, release } = await reservePorts(beforeOperations + OPERATIONS_PORTS);
  const byName = Object.fromEntries([
    ...names.map((name, index) => [name, ports[index]] as const),
    ['OPERATIONS_PORTS_FROM', ports[beforeOperations]],
  ]);
  return { byName: byName as Ports<Name>, release };
}
