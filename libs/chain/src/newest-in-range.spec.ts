import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newestInRange } from './newest-in-range.js';
import type { BlockRange } from './newest-in-range.js';

/** Block range that hosted nodes refuse. */
const TOO_MANY = 2_001n;

/** A node with results in these blocks. */
function nodeWith(blocks: readonly bigint[]) {
  const asked: BlockRange[] = [];
  const search = async ({ fromBlock, toBlock }: BlockRange): Promise<bigint[]> => {
    if (toBlock - fromBlock + 1n >= TOO_MANY) throw new Error('the range is too large');
    asked.push({ fromBlock, toBlock });
    return blocks.filter((block) => block >= fromBlock && block <= toBlock);
  };
  return { asked, search };
}

describe('newestInRange', () => {
  it('starts with the newest blocks and stops at the first result', async () => {
    const { asked, search } = nodeWith([10n, 3_500n]);
    expect(await newestInRange({ fromBlock: 0n, toBlock: 5_000n }, search)).toBe(3_500n);
    expect(asked).toEqual([{ fromBlock: 3_001n, toBlock: 5_000n }]);
  });

  it('finds results that are months old', async () => {
    const { asked, search } = nodeWith([0n]);
    expect(await newestInRange({ fromBlock: 0n, toBlock: 100_000n }, search)).toBe(0n);
    expect(asked).toHaveLength(51);
  });

  it('stays within the chain’s search limit', async () => {
    const { asked, search } = nodeWith([]);
    expect(await newestInRange({ fromBlock: 5n, toBlock: 24n }, search, 10)).toBeUndefined();
    expect(asked).toEqual([
      { fromBlock: 15n, toBlock: 24n },
      { fromBlock: 5n, toBlock: 14n },
    ]);
  });

  it('searches each block of its range, and no other', async () => {
    const block = fc.bigInt({ min: 0n, max: 20_000n });
    await fc.assert(
      fc.asyncProperty(fc.array(block), block, block, async (blocks, fromBlock, toBlock) => {
        const found = [...blocks].sort((a, b) => Number(a - b));
        const within = found.filter((each) => each >= fromBlock && each <= toBlock);
        const { search } = nodeWith(found);
        expect(await newestInRange({ fromBlock, toBlock }, search)).toBe(within.at(-1));
      }),
    );
  });
});
