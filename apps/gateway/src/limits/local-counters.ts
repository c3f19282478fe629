import { LRUCache } from 'lru-cache';
import type { Budget, Count } from './rate-limit.js';

/** Counters of addresses, and of the rest, in memory. */
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

/** Counts in this process. The least recently used counters are dropped first; those of addresses drop no others. */
export class LocalCounters {
  private readonly clients = new LRUCache<string, Window>({ max: CAPACITY });
  private readonly others = new LRUCache<string, Window>({ max: CAPACITY });

  constructor(private readonly windowMs: number) {}

  /** Charges every budget, or none when one would be exceeded. */
  take(budgets: readonly Budget[]): Taken {
    const now = Date.now();
    const windows = budgets.map((budget) => this.windowOf(budget, now));
    const exceeded = budgets.findIndex(
      ({ cost, limit }, index) => (windows[index]?.used ?? 0) + cost > limit,
    );
    const counts = budgets.map((budget, index) => {
      const { used = 0, resetAt = now + this.windowMs } = windows[index] ?? {};
      const window = { used: exceeded === -1 ? used + budget.cost : used, resetAt };
      if (exceeded === -1) this.windowsOf(budget).set(budget.counter, window);
      return { used: window.used, msUntilReset: resetAt - now };
    });
    return { counts, exceeded };
  }

  private windowsOf({ policy }: Budget): LRUCache<string, Window> {
    return policy === 'client' ? this.clients : this.others;
  }

  private windowOf(budget: Budget, now: number): Window | undefined {
    const window = this.windowsOf(budget).get(budget.counter);
    return window !== undefined && window.resetAt > now ? window : undefined;
  }
}
