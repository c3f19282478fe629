import { describe, expect, it } from '@jest/globals';
import { isDust } from './policy.js';

describe('dust', () => {
  const holding = { token: 'alphanet:0x', decimals: 6, usdPrice: null } as const;
  const policy = {
    dustUsd: '0.05',
    stalledAfterMs: 1,
    taintUsd: '1',
    acceptsUnknownSenders: false,
  };

  it('is a holding of zero only where the token has no price', () => {
    expect(isDust({ ...holding, amount: 0n }, policy)).toBe(true);
    expect(isDust({ ...holding, amount: 1n }, policy)).toBe(false);
  });
});
