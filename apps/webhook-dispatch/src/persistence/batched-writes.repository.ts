import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@bascule/persistence';

const MAX_AT_ONCE = 500;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes items in sequential batches, since statements cost more than rows. A single item is written at once; under
 * load, items that arrive within the pace share a batch. A failed batch is repeated item by item, so that only faulty
 * ones fail.
 */
export class BatchedWritesRepository<Item, Outcome> {
  private waiting: Waiting<Item, Outcome>[] = [];
  private isWriting = false;
  private notBefore = 0;

  /**
   * @param paceMs minimum time between the starts of two batches
   *
   * @param write writes all or nothing; returns outcomes in the order of the items
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
      if (this.waiting.length < MAX_AT_ONCE) await this.gather();
      await this.writeBatch(this.waiting.splice(0, MAX_AT_ONCE));
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
