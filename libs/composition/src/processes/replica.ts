import { commandLine, endProcess, isAlive } from '@bascule/local-stack';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { restartDelayMs } from './restart-delay.js';
import { NO_RESPONSE, probeReady } from './probe-ready.js';
import type { ProcessName } from './programs.js';
import type { ServiceName } from '../settings/settings.config.js';

/** Intervals of readiness probes. The longer one is a third of the grace of a leaving service. */
const PROBE_MS = { starting: 200, ready: 1_000 };
/** Probes in a row without a response that a ready process may miss, as in Kubernetes: a busy machine answers late. */
const MISSED_PROBES = 2;

export interface ReplicaOptions<Name extends ProcessName> {
  service: Name;
  /** The first replica is 1. */
  replica: number;
  port: number;
  /** Port of its health and metrics. */
  operationsPort: number;
  /** Whether a balancer stands before it, on the port of the service. */
  isBalanced: boolean;
  program: string;
  environment: NodeJS.ProcessEnv;
  logFile: string;
  pidFile: string;
  /** A process that has not ended by then is killed. */
  stopWithinMs: number;
  /** Called when the process or its readiness changes. */
  changed(): void;
  /** @param failures ends in a row before it was ready, the last one included */
  restartDelayMs?(failures: number): number;
}

/** Supervises one process of a service: restarts it when it ends, and probes its readiness. */
export class Replica<Name extends ProcessName = ServiceName> {
  /** `true`, or why not. */
  state: true | string = 'not started';
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private isRestarting = false;
  private isLeaving = false;
  private failures = 0;
  private missedProbes = 0;

  constructor(readonly options: ReplicaOptions<Name>) {}

  get name(): string {
    return `${this.options.service}-${this.options.replica}`;
  }

  get port(): number {
    return this.options.port;
  }

  get isReady(): boolean {
    return this.state === true && !this.isLeaving;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    mkdirSync(dirname(this.options.logFile), { recursive: true });
    rmSync(this.options.logFile, { force: true });
    this.spawn();
    void this.watch();
  }

  /** Ends the process as Kubernetes would and returns when the next one is ready. */
  async restart(): Promise<void> {
    this.isRestarting = true;
    try {
      await this.end();
      this.stopping.signal.throwIfAborted();
      this.spawn();
    } finally {
      this.isRestarting = false;
    }
    await this.ready();
  }

  async ready(): Promise<void> {
    while (!this.isReady)
      await delay(PROBE_MS.starting / 4, undefined, { signal: this.stopping.signal });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.end();
    rmSync(this.options.pidFile, { force: true });
  }

  private spawn(): void {
    // A restart and the end of the process may both reach this point.
    if (this.child !== undefined) return;
    this.isLeaving = false;
    const { program, environment, logFile, pidFile } = this.options;
    const log = openSync(logFile, 'a');
    // In its own session, so that Ctrl-C reaches only us; the file's path identifies our process.
    const child = spawn(process.execPath, [program, pidFile], {
      detached: true,
      env: environment,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    mkdirSync(dirname(pidFile), { recursive: true });
    writeFileSync(pidFile, String(child.pid));
    this.become('starting');
    void this.ended.then(() => this.afterEnd(child));
  }

  private async afterEnd({ exitCode, signalCode }: ChildProcess): Promise<void> {
    this.become(`ended with ${signalCode ?? exitCode}`);
    this.child = undefined;
    this.options.changed();
    if (this.isRestarting || this.stopping.signal.aborted) return;
    this.failures += 1;
    const delayMs = (this.options.restartDelayMs ?? restartDelayMs)(this.failures);
    const wait = delay(delayMs, undefined, { signal: this.stopping.signal });
    await wait.then(
      () => this.spawn(),
      () => undefined,
    );
  }

  private async end(): Promise<void> {
    const { pid } = this;
    this.isLeaving = true;
    if (pid !== undefined) await endProcess(pid, this.options.stopWithinMs);
    await this.ended;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const child = this.child;
      const found = child && (await probeReady(this.options.operationsPort));
      // The answer may be of a process that has ended meanwhile.
      if (found !== undefined && child === this.child) this.judge(found);
      const probeMs = this.isReady ? PROBE_MS.ready : PROBE_MS.starting;
      await delay(probeMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private judge(found: true | string): void {
    this.missedProbes = found === NO_RESPONSE ? this.missedProbes + 1 : 0;
    if (this.state === true && found === NO_RESPONSE && this.missedProbes <= MISSED_PROBES) return;
    this.become(found);
  }

  private become(state: true | string): void {
    if (state === true) this.failures = 0;
    if (this.state === state) return;
    this.state = state;
    this.options.changed();
  }
}

/** Ends the process that a killed supervisor has left. */
export async function endOrphanedReplica(pidFile: string, withinMs: number): Promise<void> {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile, 'utf8'));
  } catch {
    return;
  }
  const isOurs = isAlive(pid) && commandLine(pid).includes(pidFile);
  if (isOurs) await endProcess(pid, withinMs);
  rmSync(pidFile, { force: true });
}
