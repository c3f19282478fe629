import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { chainDefinitions } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { readBlocks, readWalletBlock } from './block-reader.client.js';

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
  afterEach(() => {
    jest.useRealTimers();
  });

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

  it.each(['blocks', 'trace_block'] as const)(
    'are refused more than a minute ahead of the clock, by %s, but not on a development chain',
    async (nativeTransfers) => {
      const now = new Date('2030-01-01T00:00:00Z');
      jest.useFakeTimers({ now });
      const alphanet = alphanetBy(nativeTransfers);
      const publicChain = { ...alphanet, name: 'public' };
      const wallet = `0x${'01'.repeat(20)}` as const;
      const nodeAhead = (seconds: number) => {
        const timestamp = BigInt(now.getTime() / 1000 + seconds);
        const block = { hash: HASH, parentHash: HASH, timestamp, transactions: [] };
        return { getBlock: () => Promise.resolve(block) } as unknown as EndpointClient;
      };
      for (const read of [
        (definition: ChainDefinition, seconds: number) =>
          readBlocks(nodeAhead(seconds), definition, [7n], watched),
        (definition: ChainDefinition, seconds: number) =>
          readWalletBlock(nodeAhead(seconds), definition, 7n, { wallet, watched }),
      ]) {
        await expect(read(publicChain, 61)).rejects.toThrow('ahead of the clock');
        await expect(read(publicChain, 60)).resolves.toBeDefined();
        await expect(read(alphanet, 86_400)).resolves.toBeDefined();
      }
    },
  );

  it.each([
    ['none', null],
    ['no address', '0x'],
  ])('are not read where a plain payment has as its sender %s', async (_, from) => {
    const to = `0x${'01'.repeat(20)}`;
    const paying = { hash: HASH, from, to, value: 1n };
    const block = { hash: HASH, parentHash: HASH, timestamp: 1n, transactions: [paying] };
    const trace = { type: 'call', traceAddress: [], transactionHash: HASH };
    const node = {
      getBlock: () => Promise.resolve(block),
      getLogs: () => Promise.resolve([]),
      request: () => Promise.resolve([{ ...trace, action: { from, to, value: '0x1' } }]),
    } as unknown as EndpointClient;
    const known = { ...watched, paymentsOf: () => Promise.resolve(new Map([[to, 'payment']])) };
    for (const way of from === null
      ? (['blocks'] as const)
      : (['blocks', 'trace_block'] as const)) {
      await expect(readBlocks(node, alphanetBy(way), [7n], known)).rejects.toThrow(HASH);
    }
  });

  it('are not read where a call has a sender that is no address', async () => {
    const block = { hash: HASH, parentHash: HASH, timestamp: 1n, transactions: [HASH] };
    const to = `0x${'01'.repeat(20)}`;
    const action = { from: '0xno-address', to, value: '0x1' };
    const call = { type: 'call', traceAddress: [7], transactionHash: HASH, action };
    const node = {
      getBlock: () => Promise.resolve(block),
      getLogs: () => Promise.resolve([]),
      request: () => Promise.resolve([call]),
    } as unknown as EndpointClient;
    const known = { ...watched, paymentsOf: () => Promise.resolve(new Map([[to, 'payment']])) };
    const read = readBlocks(node, alphanetBy('trace_block'), [7n], known);
    await expect(read).rejects.toThrow('check the node');
  });

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
