import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { encodePath, reversed } from './paths.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [A, B, C] = [token('a'), token('b'), token('c')];

describe('encodePath', () => {
  it('packs the fee of each pool between the tokens it joins', () => {
    expect(encodePath({ tokens: [A, C, B], pools: [500, 3000] })).toBe(
      `${A}0001f4${'c'.repeat(40)}000bb8${'b'.repeat(40)}`,
    );
  });
});

describe('reversed', () => {
  it('leads from the output to the input', () => {
    expect(reversed({ tokens: [A, C, B], pools: [500, 3000] })).toEqual({
      tokens: [B, C, A],
      pools: [3000, 500],
    });
  });
});
