import { describe, expect, it } from '@jest/globals';
import { gasLimit, maxGas } from './gas-limit.js';

describe('the gas limit of a submission', () => {
  it.each([
    [122_000n, false, 394_000n],
    [225_000n, false, 600_000n],
    [122_000n, true, 894_000n],
  ])('for a fee that pays %p (deploys the owner: %p) is at most %p', (paid, deploysOwner, max) => {
    expect(maxGas({ paid, deploysOwner })).toBe(max);
  });

  it('is the estimate with a margin, cut at the maximum', () => {
    expect(gasLimit(100_000n, 394_000n)).toBe(140_000n);
    expect(gasLimit(300_000n, 394_000n)).toBe(394_000n);
  });
});
