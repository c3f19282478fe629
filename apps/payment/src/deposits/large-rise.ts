import { maxAmount } from '@bascule/amounts';

/** Balance after a block that no recorded fact explains; null where the node has no state of the block. */
export type UnexplainedAt = (height: bigint) => Promise<bigint | null>;

/** Unexplained money that arrived in a block. */
export interface Rise {
  block: bigint;
  amount: bigint;
  /** Whether the node has the state of the block before; else the money may have arrived earlier. */
  isExact: boolean;
}

interface Point {
  block: bigint;
  unexplained: bigint;
  hasState: boolean;
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
  const base = found.after.unexplained;
  if (range.unexplained <= base) return null;
  const { before, after } = await riseAbove(unexplainedAt, range, base);
  if (before === null) throw new Error(`a node has two balances after block ${range.floor}`);
  return riseBetween(before, after);
}

const riseBetween = (before: Point, after: Point): Rise => ({
  block: after.block,
  amount: after.unexplained - before.unexplained,
  isExact: before.hasState,
});

/** @param base money that arrived up to the floor */
async function riseAbove(
  unexplainedAt: UnexplainedAt,
  { floor, height, unexplained }: Range,
  base: bigint,
): Promise<{ before: Point | null; after: Point }> {
  const half = base + (unexplained - base + 1n) / 2n;
  let after: Point = { block: height, unexplained, hasState: true };
  let before: Point | null = null;
  for (let step = 1n; before === null && after.block > floor; step *= 2n) {
    const point = await pointAt(height - step > floor ? height - step : floor);
    if (point.unexplained < half) before = point;
    else after = point;
  }
  while (before !== null && after.block - before.block > 1n) {
    const point = await pointAt((before.block + after.block) / 2n);
    if (point.unexplained < half) before = point;
    else after = point;
  }
  return { before, after };

  async function pointAt(block: bigint): Promise<Point> {
    const found = await unexplainedAt(block);
    return { block, unexplained: maxAmount(found ?? 0n, 0n), hasState: found !== null };
  }
}
