import { describe, expect, it } from '@jest/globals';
import { gasLimit } from './gas-limit.js';

describe('the gas limit of a submission', () => {
  it('is the estimate with a margin, cut at the maximum', () => {
    expect(gasLimit(100_000n, 394_000n)).toBe(140_000n);
    expect(gasLimit(300_000n, 394_000n)).toBe(394_000n);
  });

  it('is at most the affordable gas, with room for a price that rises', () => {
    expect(gasLimit(100_000n, 394_000n, { least: 200_000n, most: 200_000n })).toBe(140_000n);
    expect(gasLimit(100_000n, 394_000n, { least: 130_000n, most: 130_000n })).toBe(117_000n);
    expect(gasLimit(100_000n, 394_000n, { least: 101_000n, most: 101_000n })).toBe(100_000n);
  });

  it('is bounded by the higher data fee of two nodes, but where only the lower one allows it at all', () => {
    const affordable = { least: 130_000n, most: 10n ** 9n };
    expect(gasLimit(100_000n, 394_000n, affordable)).toBe(117_000n);
    expect(gasLimit(200_000n, 394_000n, affordable)).toBe(280_000n);
  });
});
