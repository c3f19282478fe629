import { describe, expect, it } from '@jest/globals';
import { quoteLimits } from './quote-limits.js';
import type { Capacity } from './quote-limits.js';

const token = '0x00000000000000000000000000000000000000a1';
const route = {
  origin: 'alphanet',
  destination: 'betanet',
  originChainId: 31337,
  destinationChainId: 31338,
  escrow: token,
  oracle: token,
  inputToken: token,
  outputToken: token,
  fee: { bps: 0, flat: 10n },
  minAmount: 100n,
  nativeValues: new Map(),
} as const;
const plenty: Capacity = { inventory: 10_000n, escrowRoom: 20_000n };

describe('the limits of a quote', () => {
  it.each<[string, Partial<Capacity>, bigint]>([
    ['the inventory and the fee', {}, 10_010n],
    ['the room left in the escrow', { escrowRoom: 700n }, 700n],
    ['an escrow above its cap', { escrowRoom: -5n }, 0n],
    ['an empty inventory', { inventory: 0n }, 0n],
    ['an inventory reserved by other orders', { inventory: -5n }, 0n],
  ])('are set by %s', (_, capacity, max) => {
    expect(quoteLimits(route, { ...plenty, ...capacity })).toEqual({ min: 100n, max });
  });

  it('begin at the smallest input with an output', () => {
    expect(quoteLimits({ ...route, minAmount: 1n }, plenty).min).toBe(11n);
  });
});
