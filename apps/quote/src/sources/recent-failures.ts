import type { TimedFailure } from '../routes/route-failure.js';

/** A failure is remembered this many times as long as it took to see, */
const REST = 10;
/** but never for longer than this. */
const LONGEST_REST_MS = 5_000;

/** Failures that would take as long again, so that few have to wait for a silent provider. One that fails at once is asked at once. */
export class RecentFailures {
  private readonly failures = new Map<string, TimedFailure & { until: number }>();

  /** `now` in milliseconds, as everywhere here. */
  remember(provider: string, failed: TimedFailure, now: number): void {
    const until = now + Math.min(failed.latencyMs * REST, LONGEST_REST_MS);
    this.failures.set(provider, { ...failed, until });
  }

  of(provider: string, now: number): TimedFailure | undefined {
    const found = this.failures.get(provider);
    if (!found || now >= found.until) return undefined;
    return { failure: found.failure, latencyMs: found.latencyMs };
  }
}
