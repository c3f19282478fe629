import { describe, expect, it, jest } from '@jest/globals';
import type { Chain } from '@bascule/chain';
import { numberToHex } from 'viem';
import type { Hash } from 'viem';
import { openedOrders } from './opened-orders.client.js';

const ESCROW = '0x00000000000000000000000000000000000000e5';
const BLOCK: Hash = numberToHex(7, { size: 32 });
const TRANSACTIONS = Array.from({ length: 25 }, (_, index) => numberToHex(index, { size: 32 }));
const BLOCK_7 = { from: 7n, to: 7n };

type Way = 'answers' | 'refuses logs' | 'hangs';

/** A node, and the number of its reads in all and most at once. */
function nodeThat(way: Way) {
  const reads = { inAll: 0, running: 0, most: 0 };
  const read = async <T>(answer: T): Promise<T> => {
    reads.inAll += 1;
    reads.running += 1;
    reads.most = Math.max(reads.most, reads.running);
    if (way === 'hangs') await new Promise(() => undefined);
    await Promise.resolve();
    reads.running -= 1;
    return answer;
  };
  const node = {
    getBlock: () => read({ hash: BLOCK, transactions: TRANSACTIONS }),
    getLogs: () => (way === 'answers' ? read([]) : Promise.reject(new Error('too many logs'))),
    getTransactionReceipt: () => read({ blockHash: BLOCK, logs: [] }),
  };
  return { node, reads };
}

/** Reads the orders of blocks by such nodes, and counts the parts of a block. */
async function read(ways: readonly Way[], range = BLOCK_7) {
  const nodes = ways.map(nodeThat);
  const chain = { name: 'alphanet', endpoints: nodes.map(({ node }) => node) };
  let parts = 0;
  const opened = await openedOrders(chain as unknown as Chain, ESCROW, range, () => {
    parts += 1;
    return Promise.resolve();
  });
  return { areLogsGiven: opened.areLogsGiven, parts, reads: nodes.map((each) => each.reads) };
}

describe('the orders of a block', () => {
  it('are read by receipts without a wait for a third node that hangs', async () => {
    const { areLogsGiven, parts, reads } = await read(['hangs', 'refuses logs', 'refuses logs']);
    expect(areLogsGiven).toBe(false);
    expect(parts).toBe(3);
    expect(reads[0]).toEqual({ inAll: 1, running: 1, most: 1 });
  });

  it('are read by logs without a wait for a third node that hangs', async () => {
    const { areLogsGiven, parts } = await read(['answers', 'hangs', 'answers']);
    expect(areLogsGiven).toBe(true);
    expect(parts).toBe(0);
  });

  it('are read by receipts where one of two nodes refuses the logs', async () => {
    const { areLogsGiven, reads } = await read(['answers', 'refuses logs']);
    expect(areLogsGiven).toBe(false);
    expect(reads.map(({ most }) => most)).toEqual([10, 10]);
  });

  it('are read by receipts soon where one node refuses the logs, one gives them and one hangs', async () => {
    jest.useFakeTimers();
    try {
      const opened = read(['refuses logs', 'answers', 'hangs']);
      await jest.advanceTimersByTimeAsync(3_000);
      expect((await opened).areLogsGiven).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are not read from several blocks whose logs are refused, whether or not a third node hangs', async () => {
    const several = { from: 6n, to: 7n };
    await expect(read(['refuses logs', 'hangs', 'refuses logs'], several)).rejects.toThrow(
      'give no logs',
    );
  });
});
