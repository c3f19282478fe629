import type { EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import type { Hash } from 'viem';
import { receiptBlock } from './receipt-block.client.js';

const blockHash: Hash = `0x${'22'.repeat(32)}`;
const TRUE = { hash: blockHash, number: 70n, timestamp: 1_800_000_000n };
const FOUND = { blockNumber: 70n, blockTimestamp: new Date(1_800_000_000_000) };

/** Asks nodes that have these blocks under the hash. */
const blockBy = (...blocks: (typeof TRUE)[]) => {
  const endpoints = blocks.map(
    (block) =>
      ({
        getBlock: (asked: object) => {
          expect(asked).toEqual({ blockHash });
          return Promise.resolve(block);
        },
      }) as unknown as EndpointClient,
  );
  return receiptBlock({ name: 'alphanet', endpoints }, { blockHash });
};

describe('the block of a receipt', () => {
  it.each([
    ['time', { ...TRUE, timestamp: 2n ** 60n }],
    ['number', { ...TRUE, number: 3n }],
  ])('is that of two nodes though one of three reports another %s', async (_, lie) => {
    expect(await blockBy(lie, TRUE, TRUE)).toEqual(FOUND);
    expect(await blockBy(TRUE, lie, TRUE)).toEqual(FOUND);
    await expect(blockBy(lie, TRUE)).rejects.toThrow('disagree');
  });

  it('has a time of a date though the only node reports another one', async () => {
    expect(await blockBy(TRUE)).toEqual(FOUND);
    const { blockTimestamp } = await blockBy({ ...TRUE, timestamp: 2n ** 60n });
    expect(blockTimestamp.toISOString()).toBe('9999-12-31T23:59:59.000Z');
  });
});
