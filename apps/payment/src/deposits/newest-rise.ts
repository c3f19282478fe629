import { maxAmount } from '@bascule/amounts';

/** Balance after a block that no recorded fact explains; null where the node has no state of the block. */
export type UnexplainedAt = (height: bigint) => Promise<bigint | null>;

/** Unexplained money that arrived in a block. */
export interface Rise {
  block: bigint;
  amount: bigint;
}

/**
 * Finds the block of the newest rise, by about twice the logarithm of its depth in reads. A block without state counts
 * as one before the rise. Null without a rise above the floor.
 * @param unexplained after the block `height`, above zero
 */
export async function newestRise(
  unexplainedAt: UnexplainedAt,
  { floor, height, unexplained }: { floor: bigint; height: bigint; unexplained: bigint },
): Promise<Rise | null> {
  let risen = height;
  let before = await firstBefore();
  if (before === null) return null;
  while (risen - before.block > 1n) {
    const middle: bigint = (before.block + risen) / 2n;
    const amount = await lessAt(middle);
    if (amount === null) risen = middle;
    else before = { block: middle, amount };
  }
  return { block: risen, amount: unexplained - before.amount };

  async function firstBefore(): Promise<Rise | null> {
    for (let step = 1n; risen > floor; step *= 2n) {
      const block = height - step > floor ? height - step : floor;
      const amount = await lessAt(block);
      if (amount !== null) return { block, amount };
      risen = block;
    }
    return null;
  }

  /** Null where everything had arrived by this block. */
  async function lessAt(block: bigint): Promise<bigint | null> {
    const amount = (await unexplainedAt(block)) ?? 0n;
    return amount < unexplained ? maxAmount(amount, 0n) : null;
  }
}
