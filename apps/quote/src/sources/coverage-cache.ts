import {
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleAll,
  isBrokenCircuitError,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { RouteFailure, TimedFailure } from '../routes/route-failure.js';

/** Stale coverage is used for up to this many times its TTL. */
const MAX_STALE_TTLS = 10;
/** Consecutive failures that make a source unavailable; a single one may be an accident. */
const MAX_FAILURES = 2;
/** Backoff after a failure: a multiple of the time that the failure took … */
const BACKOFF_FACTOR = 10;
/** … but at most this. */
const MAX_BACKOFF_MS = 5_000;

export interface CachedCoverage<T> {
  /** Sources with coverage and without `MAX_FAILURES` consecutive failures. */
  availableSources: ReadonlySet<string>;
  /** Coverage of each available source; the same array until a source's coverage changes. */
  entries: readonly T[];
}

export interface Coverage<T> extends CachedCoverage<T> {
  /** Coverage of each source that has any, unavailable ones included; the same array until it changes. */
  entries: readonly T[];
  /** Failures of the requested sources without coverage. */
  failures: readonly TimedFailure[];
}

export interface CoverageCacheOptions<T> {
  sources: readonly string[];
  fetch: (source: string) => Promise<T>;
  toFailure: (source: string, error: unknown) => RouteFailure;
  ttlMs: number;
  /** Whether coverage has to be fetched again before its TTL ends. */
  isOutdated?: (source: string, coverage: T) => boolean;
}

interface Entry<T> {
  coverage: T;
  /** Serialised coverage, to detect changes. */
  text: string;
}

class FetchFailure extends Error {
  constructor(readonly timed: TimedFailure) {
    super('fetching coverage failed', { cause: timed.failure });
  }
}

/** Stale-while-revalidate cache of each source's coverage, with a circuit breaker per source. */
export class CoverageCache<T> {
  private readonly cache: LRUCache<string, Entry<T>>;
  private readonly breakers: ReadonlyMap<string, CircuitBreakerPolicy>;
  private readonly consecutiveFailures = new Map<string, number>();
  private readonly inFlight = new Set<string>();
  private readonly ttlMs: number;
  private all: readonly T[] = [];
  private available: CachedCoverage<T> = { availableSources: new Set(), entries: [] };

  constructor(private readonly o: CoverageCacheOptions<T>) {
    this.ttlMs = Math.max(o.ttlMs, 1);
    this.cache = new LRUCache({
      max: Math.max(o.sources.length, 1),
      ttl: this.ttlMs,
      ttlResolution: 0,
      perf: { now: () => Date.now() },
      noDeleteOnFetchRejection: true,
      fetchMethod: (source, previous) => this.load(source, previous),
    });
    this.breakers = new Map(o.sources.map((source) => [source, createBreaker()]));
  }

  /** Returns all coverage, after waiting for `sources` whose coverage is missing, too stale or outdated. */
  async get(sources: readonly string[]): Promise<Coverage<T>> {
    const failures = await Promise.all(sources.map((source) => this.revalidate(source)));
    const entries = this.o.sources.flatMap((source) => this.peek(source));
    this.all = sameItems(this.all, entries);
    const availableSources = new Set(this.listAvailable());
    return { availableSources, entries: this.all, failures: failures.flat() };
  }

  /**
   * Returns the coverage of available sources, unless it is too stale, and refreshes due ones in the background. Waits
   * only for sources without usable coverage that have not failed.
   */
  async getCached(): Promise<CachedCoverage<T>> {
    await Promise.all(
      this.o.sources.flatMap((source) => {
        const fetched = this.fetch(source).catch(() => undefined);
        return this.consecutiveFailures.has(source) ? [] : [fetched];
      }),
    );
    return this.readAvailable();
  }

  /** Fetches coverage now, or joins the fetch in flight. */
  async refresh(source: string): Promise<void> {
    try {
      await this.cache.fetch(source, { forceRefresh: true });
    } catch (error) {
      throw this.toTimedFailure(source, error).failure;
    }
  }

  /** Re-checks a source after another request to it failed; a second failure marks it unavailable. */
  recheck(source: string): void {
    if (this.inFlight.has(source)) return;
    this.cache.fetch(source, { forceRefresh: true }).catch((error: unknown) => {
      if (!isBrokenCircuitError(error)) this.countFailure(source);
    });
  }

  private async revalidate(source: string): Promise<TimedFailure[]> {
    const isExpired = this.isExpired(source);
    try {
      await this.fetch(source);
    } catch (error) {
      if (isExpired) this.cache.delete(source);
      return [this.toTimedFailure(source, error)];
    }
    // Outdated coverage serves only where the refresh fails.
    if (this.isOutdated(source)) await this.cache.fetch(source).catch(() => undefined);
    return [];
  }

  /** Resolves with stale coverage while a refresh is in flight, unless that is expired. */
  private fetch(source: string): Promise<Entry<T> | undefined> {
    return this.cache.fetch(source, {
      allowStale: !this.isExpired(source),
      forceRefresh: this.isOutdated(source) || this.consecutiveFailures.has(source),
    });
  }

  private async load(source: string, previous: Entry<T> | undefined): Promise<Entry<T>> {
    this.inFlight.add(source);
    try {
      return await this.breakerOf(source).execute(() => this.fetchTimed(source, previous));
    } finally {
      this.inFlight.delete(source);
    }
  }

  private async fetchTimed(source: string, previous: Entry<T> | undefined): Promise<Entry<T>> {
    const startedAt = performance.now();
    try {
      const coverage = await this.o.fetch(source);
      this.consecutiveFailures.delete(source);
      const text = JSON.stringify(coverage);
      return previous?.text === text ? previous : { coverage, text };
    } catch (error) {
      this.countFailure(source);
      const latencyMs = performance.now() - startedAt;
      throw new FetchFailure({ failure: this.o.toFailure(source, error), latencyMs });
    }
  }

  private listAvailable(): string[] {
    return this.o.sources.filter(
      (source) =>
        this.peek(source).length > 0 && (this.consecutiveFailures.get(source) ?? 0) < MAX_FAILURES,
    );
  }

  private readAvailable(): CachedCoverage<T> {
    const available = this.listAvailable().filter((source) => !this.isExpired(source));
    const entries = available.flatMap((source) => this.peek(source));
    const isSame =
      sameItems(this.available.entries, entries) !== entries &&
      available.every((source) => this.available.availableSources.has(source));
    if (!isSame) this.available = { availableSources: new Set(available), entries };
    return this.available;
  }

  private peek(source: string): T[] {
    const entry = this.cache.peek(source, { allowStale: true });
    return entry ? [entry.coverage] : [];
  }

  private isExpired(source: string): boolean {
    return this.ttlMs - this.cache.getRemainingTTL(source) > this.ttlMs * MAX_STALE_TTLS;
  }

  private isOutdated(source: string): boolean {
    const { isOutdated } = this.o;
    return this.peek(source).some((coverage) => isOutdated?.(source, coverage));
  }

  private countFailure(source: string): void {
    this.consecutiveFailures.set(source, (this.consecutiveFailures.get(source) ?? 0) + 1);
  }

  private toTimedFailure(source: string, error: unknown): TimedFailure {
    const last = this.breakerOf(source).lastFailure;
    const cause = isBrokenCircuitError(error) && last && 'error' in last ? last.error : error;
    if (cause instanceof FetchFailure) return cause.timed;
    throw cause;
  }

  private breakerOf(source: string): CircuitBreakerPolicy {
    const breaker = this.breakers.get(source);
    if (!breaker) throw new Error(`${source} is not a source of this cache`);
    return breaker;
  }
}

/** Opens after each failure for a multiple of its latency; an immediate failure has no backoff. */
const createBreaker = (): CircuitBreakerPolicy =>
  circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: new DelegateBackoff(({ result }) => {
      const error = 'error' in result ? result.error : undefined;
      const latencyMs = error instanceof FetchFailure ? error.timed.latencyMs : 0;
      return Math.min(latencyMs * BACKOFF_FACTOR, MAX_BACKOFF_MS);
    }),
  });

const sameItems = <T>(before: readonly T[], now: readonly T[]): readonly T[] =>
  before.length === now.length && before.every((item, index) => item === now[index]) ? before : now;
