import { maxAmount } from '@bascule/amounts';

/** Balance after a block that no recorded fact explains; null where the node has no state of the block. */
export type UnexplainedAt = (height: bigint) => Promise<bigint | null>;

/** Unexplained money that arrived in a block. */
export interface Rise {
  block: bigint;
  amount: bigint;
}

interface Range {
  floor: bigint;
  height: bigint;
  /** After the block `height`, above zero. */
  unexplained: bigint;
}

/**
 * Finds the block in which the unexplained money above the floor came to half of its sum, by about twice the logarithm of
 * its depth in reads. So many small rises hide no large one. A block without state counts as one before the rise. Null
 * without a rise above the floor.
 * @throws where the node shows different balances of one block
 */
export async function largeRise(unexplainedAt: UnexplainedAt, range: Range): Promise<Rise | null> {
  const found = await riseAbove(unexplainedAt, range, 0n);
  if (found.before !== null) return riseBetween(found.before, found.after);
  // Most of the money is older than the floor.
  const base = found.after.amount;
  if (range.unexplained <= base) return null;
  const { before, after } = await riseAbove(unexplainedAt, range, base);
  if (before === null) throw new Error(`a node has two balances after block ${range.floor}`);
  return riseBetween(before, after);
}

const riseBetween = (before: Rise, after: Rise): Rise => ({
  block: after.block,
  amount: after.amount - before.amount,
});

/** @param base money that arrived up to the floor */
async function riseAbove(
  unexplainedAt: UnexplainedAt,
  { floor, height, unexplained }: Range,
  base: bigint,
): Promise<{ before: Rise | null; after: Rise }> {
  const half = base + (unexplained - base + 1n) / 2n;
  let after: Rise = { block: height, amount: unexplained };
  let before: Rise | null = null;
  for (let step = 1n; before === null && after.block > floor; step *= 2n) {
    const rise = await riseAt(height - step > floor ? height - step : floor);
    if (rise.amount < half) before = rise;
    else after = rise;
  }
  while (before !== null && after.block - before.block > 1n) {
    const rise = await riseAt((before.block + after.block) / 2n);
    if (rise.amount < half) before = rise;
    else after = rise;
  }
  return { before, after };

  async function riseAt(block: bigint): Promise<Rise> {
    return { block, amount: maxAmount((await unexplainedAt(block)) ?? 0n, 0n) };
  }
}
