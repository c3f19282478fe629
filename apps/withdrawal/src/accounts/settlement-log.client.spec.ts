import type { BlockRange, Chain } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { settlementLog } from './settlement-log.client.js';

const chain = { definition: {} } as unknown as Chain;

/** Searches a chain whose only log is in this block; returns it and the searches. */
async function searched(block: bigint, range: BlockRange) {
  const parts: BlockRange[] = [];
  const found = await settlementLog(chain, range, async (part) => {
    parts.push(part);
    return part.fromBlock <= block && block <= part.toBlock ? [block] : [];
  });
  return { found, parts };
}

describe('the search for the log of a withdrawal', () => {
  it.each([
    ['right', 499_000n],
    ['above the head', 1_000_000_000_000n],
    ['above the log', 499_700n],
    ['zero', 0n],
  ])('finds it with one request where the stored block is %s', async (_, fromBlock) => {
    const { found, parts } = await searched(499_500n, { fromBlock, toBlock: 500_000n });
    expect(found).toBe(499_500n);
    expect(parts).toHaveLength(1);
  });

  it('reaches back to a request that is longer ago than it usually searches', async () => {
    const range = { fromBlock: 100_000n, toBlock: 500_000n };
    expect((await searched(99_900n, range)).found).toBe(99_900n);
    expect((await searched(99_899n, range)).found).toBeUndefined();
  });

  it('ends where the node has no such log', async () => {
    const range = { fromBlock: 1_000_000_000_000n, toBlock: 500_000n };
    const { found, parts } = await searched(0n, range);
    expect(found).toBeUndefined();
    expect(parts.at(-1)?.fromBlock).toBe(300_000n);
  });
});
