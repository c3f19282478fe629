import { type Logger, RepeatedWarning, WakeSignal } from '@bascule/process';
import { errorReason } from '../errors/error-reason.js';
import type { FailingKey, TopicPausesRepository } from '../parked/topic-pauses.repository.js';
import { StoppedError } from '../records/pause-gate.js';
import { FailureWindow, type FailureWindowOptions, type Outcome } from './failure-window.js';

export interface BreakerTuning extends FailureWindowOptions {
  /** Wait before the first probe of a pause; doubled up to the longest. */
  firstProbeMs: number;
  longestProbeMs: number;
}

export interface TopicBreakerOptions {
  topics: readonly string[];
  pauses: TopicPausesRepository;
  logger: Logger;
  tuning: BreakerTuning;
  /** Interval at which pauses of other processes are seen. */
  pollMs: number;
}

/** Handles parked events of a paused topic, without counting attempts. */
export type ParkedProbe = (topic: string, limit: number) => Promise<void>;

/** Admission of an event: as usual, or as a probe of its paused topic. */
export type Admission = 'open' | 'probe';

type Waiter = (admission: Admission) => void;

interface Pause {
  /** Events that wait, in their order. */
  waiters: Set<Waiter>;
  nextProbeAt: number;
  probeDelayMs: number;
}

/** Live and parked events of each probe. */
const PROBES = 2;
/** Failing keys that a starting process reads. */
const MAX_FAILING_KEYS = 1_000;

/**
 * Circuit breaker of each topic. When most keys of most organisations fail, the topic pauses in all processes: its events
 * wait, without an attempt, until a probe succeeds. The database holds the pauses, so a restart changes nothing.
 */
export class TopicBreaker {
  private readonly windows = new Map<string, FailureWindow>();
  private readonly pauses = new Map<string, Pause>();
  private readonly probes = new Set<Promise<void>>();
  private readonly signal = new WakeSignal();
  private readonly warning: RepeatedWarning;
  private stopped = false;
  private loop: Promise<void> | undefined;
  private load: () => void = () => undefined;
  private readonly loaded = new Promise<void>((resolve) => (this.load = resolve));

  constructor(private readonly options: TopicBreakerOptions) {
    this.warning = new RepeatedWarning(options.logger, 'pauses of topics not read');
  }

  start(probeParked: ParkedProbe): void {
    this.loop = this.run(probeParked);
  }

  isPaused(topic: string): boolean {
    return this.pauses.has(topic);
  }

  /**
   * Waits while the topic is paused, unless the event is chosen as a probe.
   *
   * @throws StoppedError, also when the signal aborts
   */
  async pass(topic: string, signal: AbortSignal): Promise<Admission> {
    await this.loaded;
    if (this.stopped || signal.aborted) throw new StoppedError();
    const pause = this.pauses.get(topic);
    if (pause === undefined) return 'open';
    const admission = await new Promise<Admission>((resolve) => {
      const admit: Waiter = (as) => {
        pause.waiters.delete(admit);
        signal.removeEventListener('abort', leave);
        resolve(as);
      };
      const leave = (): void => {
        admit('open');
      };
      signal.addEventListener('abort', leave, { once: true });
      pause.waiters.add(admit);
    });
    // The topic may be paused again.
    return admission === 'probe' ? this.admitProbe(signal) : this.pass(topic, signal);
  }

  /** Records a handled event; a probe resumes its topic. */
  async succeeded({ topic, group, key }: FailingKey, as: Admission): Promise<void> {
    this.windowOf(topic).record(group, key, 'succeeded');
    if (as === 'probe') await this.resume(topic);
  }

  /** Records a failed event, and pauses its topic when most keys fail. True while it is paused: no attempt counts. */
  async failed(
    { topic, group, key }: FailingKey,
    reason: string,
    outcome: Exclude<Outcome, 'succeeded'> = 'failed',
  ): Promise<boolean> {
    const { pauses } = this.options;
    this.windowOf(topic).record(group, key, outcome);
    if (this.isPaused(topic)) return true;
    if (await this.isFailing(topic)) await pauses.pause(topic, reason);
    // Another process may have paused it.
    else if (!(await pauses.paused([topic])).includes(topic)) return false;
    this.pause(topic, reason);
    return true;
  }

  /** Stops admitting; waiting events stay unfinished. */
  stop(): void {
    this.stopped = true;
    this.load();
    for (const { waiters } of this.pauses.values()) {
      for (const admit of waiters) admit('open');
    }
    this.signal.wake();
  }

  /** Resolves after {@link stop} when running probes are finished. */
  async drain(): Promise<void> {
    await this.loop;
    await Promise.all(this.probes);
  }

  /** Whether most keys fail, without those whose parked event was handled or dead-lettered, by any process. */
  private async isFailing(topic: string): Promise<boolean> {
    const window = this.windowOf(topic);
    if (!window.isFailing()) return false;
    const keys = window.parkedKeys();
    if (keys.length === 0) return true;
    const parked = new Set(await this.options.pauses.parkedAmong(topic, keys));
    window.forget(keys.filter((key) => !parked.has(key)));
    return window.isFailing();
  }

  private admitProbe(signal: AbortSignal): Admission {
    if (this.stopped || signal.aborted) throw new StoppedError();
    return 'probe';
  }

  private async run(probeParked: ParkedProbe): Promise<void> {
    let isLoaded = false;
    while (!this.stopped) {
      try {
        await this.refresh();
        if (!isLoaded) await this.loadFailures();
        isLoaded = true;
        this.load();
        for (const topic of this.dueProbes()) this.probe(topic, probeParked);
        this.warning.clear();
      } catch (err) {
        this.warning.report(errorReason(err), { err });
      }
      await this.signal.wait(this.options.pollMs);
    }
  }

  /** Adopts pauses and resumptions of other processes. */
  private async refresh(): Promise<void> {
    const known = [...this.pauses.keys()];
    const paused = new Set(await this.options.pauses.paused(this.options.topics));
    for (const topic of paused) this.pause(topic, 'paused by another process or before a restart');
    for (const topic of known) if (!paused.has(topic)) this.open(topic);
  }

  private async loadFailures(): Promise<void> {
    const { pauses, topics } = this.options;
    const perGroup = this.newWindow().perGroup;
    const failing = await pauses.failingKeys(topics, { perGroup, limit: MAX_FAILING_KEYS });
    for (const { topic, group, key } of failing.reverse()) {
      this.windowOf(topic).record(group, key, 'failed');
    }
  }

  private dueProbes(): string[] {
    const now = performance.now();
    return [...this.pauses].flatMap(([topic, { nextProbeAt }]) =>
      nextProbeAt <= now ? topic : [],
    );
  }

  private probe(topic: string, probeParked: ParkedProbe): void {
    const pause = this.pauses.get(topic);
    if (pause === undefined) return;
    pause.nextProbeAt = performance.now() + pause.probeDelayMs;
    pause.probeDelayMs = Math.min(pause.probeDelayMs * 2, this.options.tuning.longestProbeMs);
    // A waiter that fails waits again, behind the others.
    for (const admit of [...pause.waiters].slice(0, PROBES)) admit('probe');
    const probing = probeParked(topic, PROBES)
      .catch((err: unknown) => {
        this.options.logger.warn({ err, topic }, 'probe of a paused topic failed');
      })
      .finally(() => this.probes.delete(probing));
    this.probes.add(probing);
  }

  private pause(topic: string, reason: string): void {
    if (this.pauses.has(topic)) return;
    const { firstProbeMs } = this.options.tuning;
    this.pauses.set(topic, {
      waiters: new Set(),
      nextProbeAt: performance.now() + firstProbeMs,
      probeDelayMs: firstProbeMs,
    });
    this.options.logger.error({ topic, reason }, 'topic paused: most keys fail');
  }

  private async resume(topic: string): Promise<void> {
    await this.options.pauses.resume(topic);
    this.open(topic);
  }

  private open(topic: string): void {
    const pause = this.pauses.get(topic);
    if (pause === undefined) return;
    this.pauses.delete(topic);
    this.windowOf(topic).clear();
    this.options.logger.info({ topic }, 'topic resumed');
    for (const admit of pause.waiters) admit('open');
  }

  private windowOf(topic: string): FailureWindow {
    const window = this.windows.get(topic) ?? this.newWindow();
    this.windows.set(topic, window);
    return window;
  }

  private newWindow(): FailureWindow {
    return new FailureWindow(this.options.tuning);
  }
}
