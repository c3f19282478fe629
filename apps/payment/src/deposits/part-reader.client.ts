import { isTooLarge } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { isTimeout } from './bounded-answers.client.js';

/** Wallets or tokens of one request; nodes accept 1,000. */
const ITEMS_AT_ONCE = 500;
/** Parts of a refused request. A timeout costs seconds, so that its parts are small at once. */
const PARTS = { ofLarge: 2, ofSlow: 10 };
/** Most timeouts of a node that follow each other. */
const MAX_TIMEOUTS = 8;

/** Reads from one node in parts what it cannot answer at once. */
export class PartReaderClient {
  private timeouts = 0;

  constructor(private readonly node: Pick<EndpointClient, 'getBlockNumber'>) {}

  /**
   * Whether parts of a failed request may succeed: its answer is too large, or it timed out and the node answers a small
   * one.
   * @throws where the node does not answer any more
   */
  async allowsParts(error: unknown): Promise<boolean> {
    if (isTooLarge(error)) return true;
    if (!isTimeout(error)) return false;
    this.timeouts += 1;
    if (this.timeouts > MAX_TIMEOUTS) return false;
    await this.node.getBlockNumber({ cacheTime: 0 });
    return true;
  }

  /**
   * Reads items by requests of at most 500, and by smaller parts where one is refused. Requests follow each other, so that
   * one answer is held at a time, and a node that refuses everything fails after a few.
   * @param readOne reads a single item that is refused; without it the refusal is thrown
   */
  async read<T, R>(
    items: readonly T[],
    read: (part: readonly T[]) => Promise<R[]>,
    readOne?: (item: T, error: unknown) => Promise<R[]>,
  ): Promise<R[]> {
    return this.readBy(ITEMS_AT_ONCE, items, async (part): Promise<R[]> => {
      try {
        const found = await read(part);
        this.timeouts = 0;
        return found;
      } catch (error) {
        if (!(await this.allowsParts(error))) throw error;
        const [item] = part;
        if (item !== undefined && part.length === 1 && readOne !== undefined) {
          return readOne(item, error);
        }
        if (part.length <= 1) throw error;
        const parts = isTooLarge(error) ? PARTS.ofLarge : PARTS.ofSlow;
        return this.readBy(Math.ceil(part.length / parts), part, (smaller) =>
          this.read(smaller, read, readOne),
        );
      }
    });
  }

  private async readBy<T, R>(
    size: number,
    items: readonly T[],
    read: (part: readonly T[]) => Promise<R[]>,
  ): Promise<R[]> {
    const found: R[][] = [];
    for (let start = 0; start < items.length; start += size) {
      found.push(await read(items.slice(start, start + size)));
    }
    return found.flat();
  }
}
