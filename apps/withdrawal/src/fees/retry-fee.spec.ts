import { describe, expect, it } from '@jest/globals';
import { minWithdrawalAmount } from './min-withdrawal-amount.js';
import { retryFee } from './retry-fee.js';

describe('the fee of a withdrawal to a retry', () => {
  it.each([
    [300n, 1_000n, 500n, 300n, false],
    [300n, 1_000n, 700n, 300n, false],
    [300n, 1_000n, 701n, 299n, true],
    [300n, 1_000n, 1_000n, 0n, true],
    [300n, 1_000n, 1_001n, 300n, false],
    [300n, 1n, 5_000n, 300n, false],
    [0n, 1_000n, 1_000n, 0n, false],
    [0n, 1_000n, 2_000n, 0n, false],
  ])('at %p on %p where the retry needs %p is %p (reduced: %p)', (...row) => {
    const [full, amount, needed, fee, isReduced] = row;
    expect(retryFee(full, amount, needed)).toEqual({ fee, isReduced });
  });
});

describe('the smallest amount of a withdrawal', () => {
  it('leaves an output above the fee', () => {
    expect(minWithdrawalAmount(300_000n)).toBe(300_001n);
  });
});
