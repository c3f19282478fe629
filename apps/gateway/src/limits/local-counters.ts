import { LRUCache } from 'lru-cache';
import type { Budget, Count } from './rate-limit.js';

/** Counters in memory, which strangers can add to by their addresses. */
const CAPACITY = 100_000;

interface Window {
  used: number;
  resetAt: number;
}

export interface Taken {
  /** Counts of the budgets, in their order. */
  counts: Count[];
  /** Index of the exceeded budget; -1 when all were charged. */
  exceeded: number;
}

/** Counts in this process. The least recently used counters are dropped first. */
export class LocalCounters {
  private readonly windows = new LRUCache<string, Window>({ max: CAPACITY });

  constructor(private readonly windowMs: number) {}

  /** Charges every budget, or none when one would be exceeded. */
  take(budgets: readonly Budget[]): Taken {
    const now = Date.now();
    const windows = budgets.map(({ counter }) => this.windowOf(counter, now));
    const exceeded = budgets.findIndex(
      ({ cost, limit }, index) => (windows[index]?.used ?? 0) + cost > limit,
    );
    const counts = budgets.map(({ counter, cost }, index) => {
      const { used = 0, resetAt = now + this.windowMs } = windows[index] ?? {};
      const window = { used: exceeded === -1 ? used + cost : used, resetAt };
      if (exceeded === -1) this.windows.set(counter, window);
      return { used: window.used, msUntilReset: resetAt - now };
    });
    return { counts, exceeded };
  }

  private windowOf(counter: string, now: number): Window | undefined {
    const window = this.windows.get(counter);
    return window !== undefined && window.resetAt > now ? window : undefined;
  }
}
