import { describe, expect, it } from '@jest/globals';
import { encodeFunctionResult, type Hex } from 'viem';
import { quoterV2Abi } from './abi.js';
import { decodePathQuote } from './path-quote.js';

/** `TickMath.MIN_SQRT_RATIO` and `TickMath.MAX_SQRT_RATIO` of Uniswap V3. */
const MIN_SQRT_RATIO = 4295128739n;
const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n;
const ONE = 2n ** 96n;
const said = (amount: bigint, finalPrices: bigint[]): { success: boolean; returnData: Hex } => ({
  success: true,
  returnData: encodeFunctionResult({
    abi: quoterV2Abi,
    functionName: 'quoteExactInput',
    result: [amount, finalPrices, finalPrices.map(() => 1), 90_000n],
  }),
});

describe.each(['quoteExactInput', 'quoteExactOutput'] as const)('decodePathQuote of %s', (name) => {
  it('returns the amount of pools with enough liquidity', () => {
    expect(decodePathQuote(name, said(7n, [ONE, ONE + 1n]))).toEqual({
      amount: 7n,
      poolGas: 90_000n,
    });
  });

  it.each([
    ['the first of two pools', [MIN_SQRT_RATIO + 1n, ONE]],
    ['the second of two pools', [ONE, MAX_SQRT_RATIO - 1n]],
  ])('drops a path on which %s runs out of liquidity', (_, finalPrices) => {
    expect(decodePathQuote(name, said(7n, finalPrices))).toBeNull();
  });

  it.each([
    ['returns nothing', said(0n, [ONE])],
    ['has no pool', { success: false, returnData: '0x' } as const],
    ['has no quoter', { success: true, returnData: '0x' } as const],
  ])('has no quote of a path that %s', (_, answer) => {
    expect(decodePathQuote(name, answer)).toBeNull();
  });
});
