import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { candidatePaths, joins } from './pool-paths.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [A, B, C, D] = [token('a'), token('b'), token('c'), token('d')];

describe('candidatePaths', () => {
  it('uses one pool of every kind, or two with an intermediate token', () => {
    const paths = candidatePaths({
      inputs: [A],
      outputs: [B],
      intermediateTokens: [C, D],
      pools: [500, 3000],
    });
    expect(paths).toHaveLength(2 + 2 * 4);
    expect(paths).toContainEqual({ tokens: [A, B], pools: [3000] });
    expect(paths).toContainEqual({ tokens: [A, D, B], pools: [3000, 500] });
  });

  it('never uses one of the two tokens as intermediate', () => {
    const paths = candidatePaths({
      inputs: [A],
      outputs: [B],
      intermediateTokens: [A, B],
      pools: [500],
    });
    expect(paths).toEqual([{ tokens: [A, B], pools: [500] }]);
  });

  it('has no path from a token to itself', () => {
    expect(
      candidatePaths({ inputs: [A], outputs: [A], intermediateTokens: [C], pools: [500] }),
    ).toEqual([]);
  });

  it('begins and ends with every form of a token, which is no intermediate one', () => {
    const paths = candidatePaths({
      inputs: [A, B],
      outputs: [C],
      intermediateTokens: [A, B, C, D],
      pools: [500],
    });
    expect(paths.map(({ tokens }) => tokens)).toEqual([
      [A, C],
      [A, D, C],
      [B, C],
      [B, D, C],
    ]);
  });

  it('has no path between forms of one token', () => {
    const ends = { inputs: [A, B], outputs: [B, A] };
    expect(candidatePaths({ ...ends, intermediateTokens: [C], pools: [500] })).toEqual([]);
  });
});

describe('joins', () => {
  it('is true of paths that have a pool at every step, in either direction', () => {
    const isJoined = joins([
      [A, C],
      [C, B],
    ]);
    expect(isJoined({ tokens: [A, C, B] })).toBe(true);
    expect(isJoined({ tokens: [B, C] })).toBe(true);
    expect(isJoined({ tokens: [A, B] })).toBe(false);
    expect(isJoined({ tokens: [A, C, D] })).toBe(false);
  });
});
