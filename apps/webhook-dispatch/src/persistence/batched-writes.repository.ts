import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@bascule/persistence';

const MOST_AT_ONCE = 500;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes in batches, a batch after another: statements cost more than rows. What comes alone does not wait; under load
 * what comes within the pace is written together. A batch that fails is written one by one, so that only what is at fault
 * fails.
 */
export class BatchedWritesRepository<Item, Outcome> {
  private waiting: Waiting<Item, Outcome>[] = [];
  private isWriting = false;
  private notBefore = 0;

  /**
   * @param paceMs from the beginning of a batch to that of the next
   * @param write all or nothing; the outcomes are in the order of the items
   */
  constructor(
    private readonly paceMs: number,
    private readonly write: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly pause: (ms: number) => Promise<unknown> = delay,
  ) {}

  add(item: Item): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.waiting.push({ item, resolve, reject });
    if (!this.isWriting) void this.writeAll();
    return promise;
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      if (this.waiting.length < MOST_AT_ONCE) await this.gather();
      await this.writeBatch(this.waiting.splice(0, MOST_AT_ONCE));
    }
    this.isWriting = false;
  }

  private async gather(): Promise<void> {
    const pauseMs = this.notBefore - performance.now();
    await (pauseMs > 0 ? this.pause(pauseMs) : setImmediate());
    this.notBefore = performance.now() + this.paceMs;
  }

  private async writeBatch(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await this.write(batch.map(({ item }) => item));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of batch) reject(error);
      } else {
        for (const one of batch) await this.writeBatch([one]);
      }
      return;
    }
    for (const [n, { resolve }] of batch.entries()) resolve(outcomes[n] as Outcome);
  }
}
