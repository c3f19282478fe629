import { answersOfNodes, blockAtOrBefore, median } from '@bascule/chain';
import type { Chain } from '@bascule/chain';

/**
 * Finds a block at or shortly before a time (unix seconds) as each node shows it: the middle answer of three nodes, the
 * lower of two. While the other nodes are away, one node decides, and its block may be wrong.
 * @throws when no node answers
 */
export async function blockBefore(chain: Chain, time: bigint): Promise<bigint> {
  const blocks = await answersOfNodes(chain, async ({ client, definition }) =>
    blockAtOrBefore(
      time,
      await client.getBlock({ blockTag: 'latest' }),
      definition.blockTimeMs,
      // The asked number counts: the search must end whatever number the node answers.
      async (number) => ({
        number,
        timestamp: (await client.getBlock({ blockNumber: number })).timestamp,
      }),
    ),
  );
  const middle = median(blocks, 'lower');
  if (middle === undefined) throw new Error(`no node of ${chain.name} answered`);
  return middle;
}
