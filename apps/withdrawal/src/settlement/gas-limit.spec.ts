import { describe, expect, it } from '@jest/globals';
import { gasLimit } from './gas-limit.js';

describe('the gas limit of a submission', () => {
  it('is the estimate with a margin, cut at the maximum', () => {
    expect(gasLimit(100_000n, 394_000n)).toBe(140_000n);
    expect(gasLimit(300_000n, 394_000n)).toBe(394_000n);
  });
});
