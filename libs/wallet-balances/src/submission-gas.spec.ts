import { describe, expect, it } from '@jest/globals';
import { maxProofGas, maxSubmissionGas } from './submission-gas.js';
import { furtherTokenGas, withdrawalGas } from './withdrawal-gas.js';

describe('the largest gas limit of a submission', () => {
  it.each([
    [122_000n, false, 394_000n],
    [225_000n, false, 600_000n],
    [122_000n, true, 894_000n],
  ])('for a fee that pays %p (deploys the owner: %p) is %p', (paid, deploysOwner, max) => {
    expect(maxSubmissionGas({ paid, deploysOwner })).toBe(max);
  });
});

describe('the largest gas of a withdrawal without transfers', () => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('leaves room for them (native: %p, deploys the owner: %p)', (isNative, deploysOwner) => {
    const gasOf = (isDeployed: boolean) => withdrawalGas({ isNative, isDeployed });
    const deployment = gasOf(false) - gasOf(true);
    const whole = maxProofGas({ isNative, deploysOwner }) + furtherTokenGas({ isNative });
    expect(whole).toBeLessThanOrEqual(maxSubmissionGas({ paid: gasOf(false), deploysOwner }));
    expect(whole - deployment).toBe(maxSubmissionGas({ paid: gasOf(true), deploysOwner }));
  });
});
