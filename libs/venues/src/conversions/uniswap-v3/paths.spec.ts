import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { candidatePaths, encodePath, joins } from './paths.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [A, B, C, D] = [token('a'), token('b'), token('c'), token('d')];

describe('candidatePaths', () => {
  it('uses one pool of every fee tier, or two with an intermediate token', () => {
    const paths = candidatePaths({
      inputToken: A,
      outputToken: B,
      intermediateTokens: [C, D],
      feeTiers: [500, 3000],
    });
    expect(paths).toHaveLength(2 + 2 * 4);
    expect(paths).toContainEqual({ tokens: [A, B], feeTiers: [3000] });
    expect(paths).toContainEqual({ tokens: [A, D, B], feeTiers: [3000, 500] });
  });

  it('never uses one of the two tokens as intermediate', () => {
    const paths = candidatePaths({
      inputToken: A,
      outputToken: B,
      intermediateTokens: [A, B],
      feeTiers: [500],
    });
    expect(paths).toEqual([{ tokens: [A, B], feeTiers: [500] }]);
  });

  it('has no path from a token to itself', () => {
    expect(
      candidatePaths({ inputToken: A, outputToken: A, intermediateTokens: [C], feeTiers: [500] }),
    ).toEqual([]);
  });
});

describe('encodePath', () => {
  it('packs the fee of each pool between the tokens it joins', () => {
    expect(encodePath({ tokens: [A, C, B], feeTiers: [500, 3000] })).toBe(
      `${A}0001f4${'c'.repeat(40)}000bb8${'b'.repeat(40)}`,
    );
  });
});

describe('joins', () => {
  it('is true of paths that have a pool at every step, in either direction', () => {
    const isJoined = joins([
      [A, C],
      [C, B],
    ]);
    expect(isJoined({ tokens: [A, C, B], feeTiers: [0, 0] })).toBe(true);
    expect(isJoined({ tokens: [B, C], feeTiers: [0] })).toBe(true);
    expect(isJoined({ tokens: [A, B], feeTiers: [0] })).toBe(false);
    expect(isJoined({ tokens: [A, C, D], feeTiers: [0, 0] })).toBe(false);
  });
});
