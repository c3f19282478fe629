import type { RouteFailure, TimedFailure } from '../routes/route-failure.js';
import { RecentFailures } from './recent-failures.js';

interface Remembered<T> {
  answer: T;
  /** Of the answer, to know another one by. */
  text: string;
  askedAt: number;
}

export interface Answers<T> {
  /** All that are remembered: the very same list until anyone answers something else. */
  answers: readonly T[];
  /** Of those of whom there is no answer. */
  failures: readonly TimedFailure[];
  /** Those who are not left out at hand. */
  speaking: ReadonlySet<string>;
}

/** Those who gave an answer and have not fallen silent since; the very same object as long as that is so. */
export interface Speaking<T> {
  names: ReadonlySet<string>;
  answers: readonly T[];
}

/** An answer is used for this many times its life while there is no new one. */
const STALE_LIVES = 10;

/** One silence may be an accident. */
const SILENCES = 2;

/** What each of several parties last answered to one question, asked again behind the requests' backs. */
export class RememberedAnswers<T> {
  private readonly known = new Map<string, Remembered<T>>();
  private readonly asking = new Map<string, Promise<void>>();
  /** How often in a row each has given no answer. */
  private readonly silences = new Map<string, number>();
  private readonly recentFailures = new RecentFailures();
  private list: readonly T[] | undefined;
  private speaking: Speaking<T> | undefined;

  constructor(
    private readonly o: {
      ask: (name: string) => Promise<T>;
      toFailure: (name: string, error: unknown) => RouteFailure;
      lifeMs: number;
      /** Whether the question has changed since: such an answer only serves while there is no new one. */
      isOutdated?: (name: string, answer: T) => boolean;
    },
  ) {}

  /** All that is known, after those of `wanted` whose answers are too old have been asked again. */
  async current(wanted: readonly string[]): Promise<Answers<T>> {
    const failures = (await Promise.all(wanted.map((name) => this.newest(name)))).flat();
    return { answers: this.remembered(), failures, speaking: this.heard().names };
  }

  /**
   * The same for who cannot wait long: those who gave no answer when they were last asked, and those who have answered
   * another question, are asked behind its back, and those who gave none twice in a row are left out, whatever they
   * said before.
   */
  async atHand(names: readonly string[]): Promise<Speaking<T>> {
    await Promise.all(
      names.map((name) => {
        const refreshed = this.refresh(name).catch(() => undefined);
        return this.silences.has(name) ? Promise.resolve() : refreshed;
      }),
    );
    return this.heard();
  }

  /** One question to a party at a time, whoever waits for it. */
  ask(name: string): Promise<void> {
    const asking = this.asking.get(name) ?? this.askNow(name);
    this.asking.set(name, asking);
    return asking;
  }

  /** Who gave no answer to another question is asked this one at once: where that fails as well, it has fallen silent. */
  doubt(name: string): void {
    if (this.asking.has(name) || this.recentFailures.of(name, Date.now())) return;
    this.miss(name);
    this.ask(name).catch(() => undefined);
  }

  private remembered(): readonly T[] {
    this.list ??= [...this.known.values()].map(({ answer }) => answer);
    return this.list;
  }

  private heard(): Speaking<T> {
    if (!this.speaking) {
      const heard = [...this.known].filter(([name]) => (this.silences.get(name) ?? 0) < SILENCES);
      const names = new Set(heard.map(([name]) => name));
      this.speaking = { names, answers: heard.map(([, { answer }]) => answer) };
    }
    return this.speaking;
  }

  private isOutdated(name: string): boolean {
    const known = this.known.get(name);
    return known !== undefined && (this.o.isOutdated?.(name, known.answer) ?? false);
  }

  /** An answer to another question serves only if there is no new one. */
  private async newest(name: string): Promise<TimedFailure[]> {
    const failures = await this.refresh(name);
    if (this.isOutdated(name)) await this.asking.get(name)?.catch(() => undefined);
    return failures;
  }

  private async refresh(name: string): Promise<TimedFailure[]> {
    const known = this.known.get(name);
    const age = known ? Date.now() - known.askedAt : Infinity;
    const isDue = age > this.o.lifeMs || this.isOutdated(name) || this.silences.has(name);
    if (!isDue) return [];
    const recent = this.recentFailures.of(name, Date.now());
    if (age <= this.o.lifeMs * STALE_LIVES) {
      // The old answer serves until there is a new one.
      if (!recent) this.ask(name).catch(() => undefined);
      return [];
    }
    this.forget(name);
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
      this.remember(name, answer);
      this.hear(name);
    } catch (error) {
      this.miss(name);
      const failure = this.o.toFailure(name, error);
      const latencyMs = performance.now() - began;
      this.recentFailures.remember(name, { failure, latencyMs }, Date.now());
      throw failure;
    } finally {
      this.asking.delete(name);
    }
  }

  private remember(name: string, answer: T): void {
    const text = JSON.stringify(answer);
    const known = this.known.get(name);
    const isSame = known?.text === text;
    this.known.set(name, { answer: isSame ? known.answer : answer, text, askedAt: Date.now() });
    if (!isSame) this.change();
  }

  private forget(name: string): void {
    if (this.known.delete(name)) this.change();
  }

  private hear(name: string): void {
    if ((this.silences.get(name) ?? 0) >= SILENCES) this.speaking = undefined;
    this.silences.delete(name);
  }

  private miss(name: string): void {
    const count = (this.silences.get(name) ?? 0) + 1;
    this.silences.set(name, count);
    if (count === SILENCES) this.speaking = undefined;
  }

  private change(): void {
    this.list = undefined;
    this.speaking = undefined;
  }
}
