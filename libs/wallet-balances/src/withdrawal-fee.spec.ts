import { describe, expect, it } from '@jest/globals';
import { withdrawalFee } from './withdrawal-fee.js';

const native = { decimals: 18, usd: '3000' };

describe('the fee of a withdrawal', () => {
  it('is the cost of its gas in the token, rounded up', () => {
    // 100,000 gas at 1 gwei are 0.0001 ether: 0.3 dollars.
    const cost = { gasPrice: 1_000_000_000n, gas: 100_000n, native };
    expect(withdrawalFee(cost, { decimals: 6, usd: '1' })).toBe(300_000n);
    expect(withdrawalFee(cost, { decimals: 6, usd: '0.9999' })).toBe(300_031n);
    expect(withdrawalFee(cost, native)).toBe(100_000_000_000_000n);
    expect(withdrawalFee({ ...cost, dataFee: 10n ** 14n }, { decimals: 6, usd: '1' })).toBe(
      600_000n,
    );
    expect(withdrawalFee(cost, { decimals: 8, usd: '100000' })).toBe(300n);
  });
});
