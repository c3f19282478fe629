import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, encodeFunctionResult, zeroAddress, type Address } from 'viem';
import { v4QuoterAbi } from './abi.js';
import { decodePathQuote, encodePathQuote } from './path-quote.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [A, B] = [token('a'), token('b')];
const NEAR = { fee: 500, tickSpacing: 10 };
const FAR = { fee: 3000, tickSpacing: 60 };
const path = { tokens: [A, zeroAddress, B], pools: [NEAR, FAR] };
const rest = { hooks: zeroAddress, hookData: '0x' } as const;

const paramsOf = (name: 'quoteExactInput' | 'quoteExactOutput') => {
  const data = encodePathQuote(name, path, 7n);
  const { functionName, args } = decodeFunctionData({ abi: v4QuoterAbi, data });
  expect(functionName).toBe(name);
  const { exactCurrency, exactAmount, path: keys } = args[0];
  expect(exactAmount).toBe(7n);
  return [
    exactCurrency.toLowerCase(),
    keys.map(({ intermediateCurrency: named, ...kind }) => [named.toLowerCase(), kind]),
  ];
};

describe('encodePathQuote', () => {
  it('names the input, and each pool by what it gives', () => {
    expect(paramsOf('quoteExactInput')).toEqual([
      A,
      [
        [zeroAddress, { ...NEAR, ...rest }],
        [B, { ...FAR, ...rest }],
      ],
    ]);
  });

  it('names the output, and each pool by what it takes', () => {
    expect(paramsOf('quoteExactOutput')).toEqual([
      B,
      [
        [A, { ...NEAR, ...rest }],
        [zeroAddress, { ...FAR, ...rest }],
      ],
    ]);
  });
});

describe.each(['quoteExactInput', 'quoteExactOutput'] as const)('decodePathQuote of %s', (name) => {
  const said = (amount: bigint) => ({
    success: true,
    returnData: encodeFunctionResult({
      abi: v4QuoterAbi,
      functionName: name,
      result: [amount, 90_000n],
    }),
  });

  it('returns the amount and the gas of the pools', () => {
    expect(decodePathQuote(name, said(7n))).toEqual({ amount: 7n, poolGas: 90_000n });
  });

  it.each([
    ['returns nothing', said(0n)],
    ['has no pool, or not enough liquidity', { success: false, returnData: '0x' } as const],
    ['has no quoter', { success: true, returnData: '0x' } as const],
  ])('has no quote of a path that %s', (_, answer) => {
    expect(decodePathQuote(name, answer)).toBeNull();
  });
});
