import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Chain } from './chain.js';
import { estimateGasOf } from './estimate-gas.js';

const BOUND = 200_000n;
const SOMEBODY = '0x00000000000000000000000000000000000000AA';

/** Estimates with nodes that answer so, the last one after 2 s; the time is how long it took. */
async function estimate(...answers: bigint[]): Promise<{ gas: bigint; ms: number }> {
  const endpoints = answers.map((gas, index) => ({
    estimateGas: () =>
      new Promise((resolve) =>
        setTimeout(() => resolve(gas), index === answers.length - 1 ? 2_000 : 0),
      ),
  }));
  const chain = { name: 'alphanet', endpoints } as unknown as Chain;
  const start = Date.now();
  const call = { account: SOMEBODY, to: SOMEBODY, data: '0x' } as const;
  const estimated = estimateGasOf(chain, call, BOUND).then((gas) => ({
    gas,
    ms: Date.now() - start,
  }));
  await jest.advanceTimersByTimeAsync(10_000);
  return estimated;
}

describe('the gas of a call that a slow node estimates too', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['high', 200_000n],
    ['low', 21_000n],
  ])('is the median of three where one answers %s', async (_, lie) => {
    expect(await estimate(lie, 100_000n, 101_000n)).toEqual({
      gas: lie > 100_000n ? 101_000n : 100_000n,
      ms: 2_000,
    });
  });

  it('does not wait for it where the others agree', async () => {
    expect(await estimate(100_000n, 101_000n, 102_000n)).toEqual({ gas: 101_000n, ms: 250 });
  });
});
