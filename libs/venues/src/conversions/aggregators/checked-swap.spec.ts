import { describe, expect, it } from '@jest/globals';
import { zeroAddress, type Address } from 'viem';
import type { ToldSwap } from './aggregator.js';
import { checkedSwap, type AllowedSwap } from './checked-swap.js';

const TOKEN: Address = '0x00000000000000000000000000000000000000aa';
const OUTPUT: Address = '0x00000000000000000000000000000000000000bb';
const CONTRACT: Address = '0x00000000000000000000000000000000000000cc';
const OTHER: Address = '0x00000000000000000000000000000000000000dd';

const allowed: AllowedSwap = { contract: CONTRACT, inputToken: TOKEN, outputToken: OUTPUT };
const told: ToldSwap = {
  target: CONTRACT,
  spenders: [CONTRACT],
  value: 0n,
  data: '0x12345678',
  amountIn: 5n,
  amountOut: 7n,
};
const check = (change: Partial<ToldSwap> = {}, terms: Partial<AllowedSwap> = {}) =>
  checkedSwap('any', { ...allowed, ...terms }, { ...told, ...change });
const ofBytes = (count: number) => `0x${'00'.repeat(count)}` as const;

describe('checkedSwap', () => {
  it('accepts the call of the allowed contract, with what was told beside it', () => {
    expect(check({ gas: 9n }, { input: 5n })).toEqual({
      target: CONTRACT,
      data: '0x12345678',
      inputToken: TOKEN,
      outputToken: OUTPUT,
      amountIn: 5n,
      told: { amountOut: 7n, gas: 9n },
    });
    expect(check({ spenders: [] }).amountIn).toBe(5n);
    expect(check({ data: ofBytes(24 * 1024) }).amountIn).toBe(5n);
  });

  it('accepts native currency that carries exactly the input, and needs no allowance', () => {
    const native = { inputToken: zeroAddress };
    expect(check({ value: 5n, spenders: [OTHER] }, native).amountIn).toBe(5n);
    for (const value of [0n, 4n, 6n]) expect(() => check({ value }, native)).toThrow('value');
  });

  it.each<[string, Partial<ToldSwap>, Partial<AllowedSwap>]>([
    ['contract', { target: OTHER }, {}],
    ['contract', {}, { contract: undefined }],
    ['spender', { spenders: [CONTRACT, OTHER] }, {}],
    ['value', { value: 1n }, {}],
    ['input', {}, { input: 6n }],
    ['input', { amountIn: 0n }, {}],
    ['output', { amountOut: 0n }, {}],
    ['size of data', { data: ofBytes(3) }, {}],
    ['size of data', { data: ofBytes(24 * 1024 + 1) }, {}],
  ])('refuses another %s', (field, change, terms) => {
    expect(() => check(change, terms)).toThrow(`another ${field} than`);
  });
});
