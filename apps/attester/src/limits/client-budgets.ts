import type { AddressBlock } from '@bascule/service-host';
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
/** Windows in memory; the least recently used are dropped first. */
const CAPACITY = 100_000;

interface Window {
  used: number;
  resetAt: number;
}

/** Counts the units that clients use in a minute, by the blocks of their addresses. */
export class ClientBudgets {
  private readonly windows = new LRUCache<string, Window>({ max: CAPACITY });

  /** @param units of one client in a window */
  constructor(private readonly units: number) {}

  /**
   * Charges every block of a client, or none when one would be exceeded.
   * @returns milliseconds until the next window when none was charged
   */
  charge(blocks: readonly AddressBlock[], cost: number): number | null {
    const windows = blocks.map((block) => ({ block, window: this.windowOf(block) }));
    const exceeded = windows.find(
      ({ block, window }) => window.used + cost > this.units * block.clients,
    );
    if (exceeded) return Math.max(1, Math.ceil(exceeded.window.resetAt - performance.now()));
    for (const { block, window } of windows) {
      this.windows.set(block.name, { ...window, used: window.used + cost });
    }
    return null;
  }

  /** Gives units back that were charged before. */
  giveBack(blocks: readonly AddressBlock[], cost: number): void {
    for (const block of blocks) {
      const window = this.windowOf(block);
      this.windows.set(block.name, { ...window, used: Math.max(0, window.used - cost) });
    }
  }

  private windowOf({ name }: AddressBlock): Window {
    const now = performance.now();
    const known = this.windows.get(name);
    return known && now < known.resetAt ? known : { used: 0, resetAt: now + WINDOW_MS };
  }
}
