import { chainDefinitions } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { reachOf, retentionOf } from './scan-reach.service.js';

const chainOf = (blockTimeMs: number, nodes: number): Pick<Chain, 'definition' | 'endpoints'> => {
  const { alphanet } = chainDefinitions;
  if (!alphanet) throw new Error('alphanet is not defined');
  const endpoints = Array.from({ length: nodes }) as Chain['endpoints'];
  return { definition: { ...alphanet, blockTimeMs }, endpoints };
};

describe('the reach of a scan', () => {
  it.each([
    [12_000, 512n],
    [1_000, 512n],
    [750, 683n],
    [250, 2_048n],
  ])('has, with a block in %i ms, %p kept blocks', (blockTimeMs, kept) => {
    expect(retentionOf({ blockTimeMs })).toBe(kept);
  });

  it('is half of the kept blocks above the newest one that two nodes had', () => {
    expect(reachOf(chainOf(1_000, 2), 1_000n, 900n)).toBe(1_156n);
    expect(reachOf(chainOf(250, 3), 1_000n, 900n)).toBe(1_924n);
  });

  it('is not above a rewind by a process that does not know what two nodes had', () => {
    expect(reachOf(chainOf(1_000, 2), 800n, 900n)).toBe(1_056n);
  });

  it('is nothing while no two nodes were asked', () => {
    expect(reachOf(chainOf(1_000, 2), 1_000n, null)).toBe(0n);
  });

  it('bounds a pass by a single node', () => {
    expect(reachOf(chainOf(1_000, 1), 1_000n, null)).toBe(1_256n);
  });
});
