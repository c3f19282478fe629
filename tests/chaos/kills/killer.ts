import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosStack } from '../support/chaos-stack.js';
import type { RequestLog } from '../client/request-log.js';
import type { Random } from '../support/random.js';
import type { Superuser } from '../verify/database-rows.js';
import { stoppedTransactions, hasOpenTransactions } from './open-transactions.js';

export interface Kill {
  at: number;
  service: string;
  replica: number;
  /** Transactions that were open in the process. */
  transactions: number;
  /** Transactions in which an event handler had begun its effect. */
  handlers: number;
  /** Time until its replacement was ready; null without one by the end. */
  recoveredAfterMs: number | null;
}

export interface KillerOptions {
  stack: ChaosStack;
  db: Superuser;
  log: RequestLog;
  random: Random;
}

/** Pause between two kills. */
const PAUSE_MS = [400, 3_200] as const;
/** Maximum wait for the victim to have work. Every second kill waits, and all do until one has hit a transaction. */
const WAIT_FOR_WORK_MS = 1_500;
/** Maximum number of processes missing at the same time. */
const MISSING_AT_ONCE = 4;
const POLL_MS = 100;

/** Kills service processes with SIGKILL at random moments. */
export class Killer {
  readonly kills: Kill[] = [];
  readonly #options: KillerOptions;
  readonly #recoveries = new Set<Promise<void>>();

  constructor(options: KillerOptions) {
    this.#options = options;
  }

  /** Kills `count` processes and returns when all have been replaced. */
  async run(count: number): Promise<void> {
    const { random } = this.#options;
    for (let killed = 0; killed < count;) {
      await delay(random.between(...PAUSE_MS));
      while (this.#recoveries.size >= MISSING_AT_ONCE) await Promise.race(this.#recoveries);
      if (await this.#killOne()) killed += 1;
    }
    await Promise.all(this.#recoveries);
  }

  /** Processes that have been killed and are not ready again. */
  get missing(): number {
    return this.#recoveries.size;
  }

  async #killOne(): Promise<boolean> {
    const { stack, db, random } = this.#options;
    const { name: service, replica } = random.pick(stack.services());
    const waits = random.chance(0.5);
    const hasHitWork = this.kills.some(({ transactions }) => transactions > 0);
    if (waits || !hasHitWork) await this.#untilAtWork(service);
    const pid = this.#pidOf(service, replica);
    if (pid === null || !signal(pid, 'SIGSTOP')) return false;
    const at = Date.now();
    const held = await stoppedTransactions(db, service);
    signal(pid, 'SIGKILL');
    const handlers = held.filter(({ isHandler }) => isHandler).length;
    const kill = {
      at,
      service,
      replica,
      transactions: held.length,
      handlers,
      recoveredAfterMs: null,
    };
    this.kills.push(kill);
    const recovery = this.#recovery(kill, pid).finally(() => this.#recoveries.delete(recovery));
    this.#recoveries.add(recovery);
    return true;
  }

  async #untilAtWork(service: string): Promise<void> {
    const { db, log } = this.#options;
    const deadline = Date.now() + WAIT_FOR_WORK_MS;
    while (Date.now() < deadline) {
      if (log.inFlight(service) > 0 || (await hasOpenTransactions(db, service))) return;
      await delay(5);
    }
  }

  async #recovery(kill: Kill, pid: number): Promise<void> {
    const { stack } = this.#options;
    const deadline = kill.at + RECOVERY_MS;
    while (Date.now() < deadline) {
      await delay(POLL_MS);
      const now = this.#pidOf(kill.service, kill.replica);
      if (now === null || now === pid || !(await stack.isReady(kill.service, kill.replica)))
        continue;
      kill.recoveredAfterMs = Date.now() - kill.at;
      return;
    }
  }

  #pidOf(service: string, replica: number): number | null {
    const found = this.#options.stack
      .services()
      .find((each) => each.name === service && each.replica === replica);
    return found?.pid ?? null;
  }
}

const RECOVERY_MS = 240_000;

/** False when the process has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
