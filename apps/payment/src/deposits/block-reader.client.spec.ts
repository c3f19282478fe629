import { describe, expect, it } from '@jest/globals';
import { chainDefinitions } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { readBlocks } from './block-reader.client.js';

const HASH = `0x${'01'.repeat(32)}`;

/** Lists of a deployment without payments. */
const watched = {
  paymentsOf: () => Promise.resolve(new Map<string, unknown>()),
  tokensOn: () => Promise.resolve([]),
  activeWallets: () => Promise.resolve([]),
};
function alphanetBy(nativeTransfers: ChainDefinition['nativeTransfers']): ChainDefinition {
  const alphanet = chainDefinitions['alphanet'];
  if (alphanet === undefined) throw new Error('alphanet is not defined');
  return { ...alphanet, nativeTransfers };
}

describe('blocks of a node', () => {
  it.each(['blocks', 'trace_block'] as const)(
    'have the numbers that were asked for, whatever it answers, by %s',
    async (nativeTransfers) => {
      const block = { number: 10n ** 9n, hash: HASH, parentHash: HASH, timestamp: 1n };
      const node = {
        getBlock: () => Promise.resolve({ ...block, transactions: [] }),
      } as unknown as EndpointClient;
      const read = await readBlocks(node, alphanetBy(nativeTransfers), [7n], watched);
      expect(read).toMatchObject([{ number: 7n, hash: HASH }]);
    },
  );

  it('are asked for one answer after the other, where a block is read alone', async () => {
    const open = new Set<string>();
    const most: number[] = [];
    const answer = async <T>(method: string, given: T): Promise<T> => {
      open.add(method);
      most.push(open.size);
      await new Promise(setImmediate);
      open.delete(method);
      return given;
    };
    const block = { hash: HASH, parentHash: HASH, timestamp: 1n, transactions: [HASH] };
    const node = {
      getBlock: () => answer('block', block),
      getLogs: () => answer('logs', []),
      request: () => answer('traces', []),
    } as unknown as EndpointClient;
    await readBlocks(node, alphanetBy('trace_block'), [7n], watched);
    expect(most).toEqual([1, 1, 1]);
  });
});
