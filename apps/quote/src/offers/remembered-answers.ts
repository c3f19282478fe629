import type { RouteFailure, TimedFailure } from '../quotes/route-failure.js';
import { RecentFailures } from './recent-failures.js';

interface Remembered<T> {
  answer: T;
  askedAt: number;
  revision: number;
}

export interface Answers<T> {
  /** All that are remembered. */
  answers: readonly T[];
  /** Changes when anyone has answered again. */
  revision: string;
  /** Of those of whom there is no answer. */
  failures: readonly TimedFailure[];
}

/** An answer is used for this many times its life while there is no new one. */
const STALE_LIVES = 10;

/** What each of several parties last answered to one question, asked again behind the requests' backs. */
export class RememberedAnswers<T> {
  private readonly known = new Map<string, Remembered<T>>();
  private readonly asking = new Map<string, Promise<void>>();
  private readonly recentFailures = new RecentFailures();
  private count = 0;

  constructor(
    private readonly o: {
      ask: (name: string) => Promise<T>;
      toFailure: (name: string, error: unknown) => RouteFailure;
      lifeMs: number;
    },
  ) {}

  /** All that is known, after those of `wanted` whose answers are too old have been asked again. */
  async current(wanted: readonly string[]): Promise<Answers<T>> {
    const failures = (await Promise.all(wanted.map((name) => this.refresh(name)))).flat();
    const known = [...this.known.values()];
    return {
      answers: known.map(({ answer }) => answer),
      revision: known.map(({ revision }) => revision).join(),
      failures,
    };
  }

  /** One question to a party at a time, whoever waits for it. */
  ask(name: string): Promise<void> {
    const asking = this.asking.get(name) ?? this.askNow(name);
    this.asking.set(name, asking);
    return asking;
  }

  private async refresh(name: string): Promise<TimedFailure[]> {
    const known = this.known.get(name);
    const age = known ? Date.now() - known.askedAt : Infinity;
    if (age <= this.o.lifeMs) return [];
    const recent = this.recentFailures.of(name, Date.now());
    if (age <= this.o.lifeMs * STALE_LIVES) {
      // The old answer serves until there is a new one.
      if (!recent) this.ask(name).catch(() => undefined);
      return [];
    }
    this.known.delete(name);
    if (recent) return [recent];
    const began = performance.now();
    try {
      await this.ask(name);
      return [];
    } catch (error) {
      const failure = this.o.toFailure(name, error);
      return [{ failure, latencyMs: performance.now() - began }];
    }
  }

  private async askNow(name: string): Promise<void> {
    const began = performance.now();
    try {
      const answer = await this.o.ask(name);
      this.count += 1;
      this.known.set(name, { answer, askedAt: Date.now(), revision: this.count });
    } catch (error) {
      const failure = this.o.toFailure(name, error);
      const latencyMs = performance.now() - began;
      this.recentFailures.remember(name, { failure, latencyMs }, Date.now());
      throw failure;
    } finally {
      this.asking.delete(name);
    }
  }
}
