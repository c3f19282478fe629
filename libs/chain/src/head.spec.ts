import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chainDefinitions } from './definitions/index.js';
import type { EndpointClient } from './chain.js';
import { finalBlock } from './final-block.js';
import { agreedHead, agreedHeight } from './head.js';

/** A node that answers after a time, or never. */
const nodeAt = (height: bigint, afterMs = 0): EndpointClient => {
  const getBlockNumber = () =>
    new Promise<bigint>((resolve) => {
      if (afterMs < Infinity) setTimeout(() => resolve(height), afterMs);
    });
  return { getBlockNumber } as Partial<EndpointClient> as EndpointClient;
};
const { alphanet } = chainDefinitions;
if (!alphanet) throw new Error('alphanet is not defined');
const definition = { ...alphanet, confirmations: 2 };
const chainOf = (...endpoints: EndpointClient[]) => ({ name: 'alphanet', definition, endpoints });

describe('the height that endpoints agree on', () => {
  it.each<[bigint[], bigint | undefined]>([
    [[], undefined],
    [[7n], 7n],
    [[9n, 7n], 7n],
    [[7n, 9n, 8n], 8n],
    [[100n, 8n, 7n, 7n], 7n],
  ])('is, for heights %p, %p', (heights, expected) => {
    expect(agreedHeight(heights)).toBe(expected);
  });
});

describe('a final block', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is not reached by the word of one of several nodes', async () => {
    const chain = chainOf(nodeAt(1_000_000n), nodeAt(100n, Infinity), nodeAt(100n, Infinity));
    const found = expect(finalBlock(chain)).rejects.toThrow('only one node of alphanet answered');
    await jest.advanceTimersByTimeAsync(5_000);
    await found;
  });

  it('waits for a second node that is slow', async () => {
    const chain = chainOf(nodeAt(1_000_000n), nodeAt(100n, 2_500));
    const found = finalBlock(chain);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await found).toEqual({ number: 99n, node: chain.endpoints[0] });
  });

  it('is that of one node where a single one is configured, or is enough', async () => {
    const single = finalBlock(chainOf(nodeAt(100n)));
    const alone = finalBlock(chainOf(nodeAt(100n), nodeAt(100n, Infinity)), { isLoneEnough: true });
    await jest.advanceTimersByTimeAsync(5_000);
    expect([(await single).number, (await alone).number]).toEqual([99n, 99n]);
  });
});

describe('a head', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('awaits no slow node unless a witness is required', async () => {
    const chain = chainOf(nodeAt(100n), nodeAt(90n, 2_500));
    const head = agreedHead(chain);
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await head).number).toBe(100n);
  });
});
