import type { EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { chainMoment } from './chain-moment.client.js';

const OWN = 1_900_000_000n;
const YEAR_2200 = 7_258_118_400n;

interface Block {
  number: bigint | null;
  timestamp: bigint | undefined;
}
const honest: Block = { number: 500n, timestamp: OWN - 5n };

/** Reads the moment from nodes that report these blocks; null for one that is away. */
function reported(...blocks: (Block | null)[]) {
  const endpoints = blocks.map((block) => ({
    getBlock: () => (block === null ? Promise.reject(new Error('away')) : Promise.resolve(block)),
  })) as unknown as EndpointClient[];
  return chainMoment({ name: 'alphanet', endpoints }, OWN);
}

describe('the moment of a chain', () => {
  it.each<[string, Block]>([
    ['a time that no date holds', { ...honest, timestamp: 10n ** 13n }],
    ['no time', { ...honest, timestamp: undefined }],
    ['no number', { ...honest, number: null }],
    ['the year 2200', { ...honest, timestamp: YEAR_2200 }],
    ['a number above the head', { ...honest, number: 10n ** 12n }],
    ['all of it', { number: 10n ** 12n, timestamp: YEAR_2200 }],
  ])('is the honest nodes’ one where one of two or three reports %s', async (_, lie) => {
    expect(await reported(lie, honest)).toEqual(honest);
    expect(await reported(honest, lie)).toEqual(honest);
    expect(await reported(lie, honest, honest)).toEqual(honest);
  });

  it('is ahead of ours where two nodes say so, or the only one', async () => {
    const ahead = { number: 500n, timestamp: OWN + 7_200n };
    expect(await reported(ahead)).toEqual(ahead);
    expect(await reported(ahead, ahead)).toEqual(ahead);
    expect(await reported(ahead, honest, ahead)).toEqual(ahead);
  });

  it('is one node’s while the others are away, at most a minute after ours', async () => {
    expect(await reported(null, honest)).toEqual(honest);
    const lie = { number: 500n, timestamp: YEAR_2200 };
    expect(await reported(lie, null)).toEqual({ number: 500n, timestamp: OWN + 60n });
    expect(await reported(null, lie, null)).toEqual({ number: 500n, timestamp: OWN + 60n });
  });

  it('is not known while no node tells it', async () => {
    await expect(reported(null, null)).rejects.toThrow('no endpoint of alphanet answered');
    const absurd = { number: 500n, timestamp: 10n ** 13n };
    await expect(reported(absurd, null)).rejects.toThrow('no endpoint of alphanet answered');
    await expect(reported(absurd)).rejects.toThrow('no endpoint of alphanet answered');
  });
});
