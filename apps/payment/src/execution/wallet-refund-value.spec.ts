import { describe, expect, it } from '@jest/globals';
import { isBelowGasCost } from './wallet-refund-value.js';

// 150,000 gas at 20 gwei: 0.003 of the native currency, or 9 US dollars.
const cost = { gas: 150_000n, gasPrice: 20_000_000_000n, dataFee: 0n, nativeUsd: '3000' };
const usdc = (amount: bigint) => ({ amount, decimals: 6, usd: '1' });

describe('a refund below its gas cost', () => {
  it('is worth at most the gas', () => {
    expect(isBelowGasCost(usdc(8_999_999n), cost)).toBe(true);
    expect(isBelowGasCost(usdc(9_000_000n), cost)).toBe(true);
    expect(isBelowGasCost(usdc(9_000_001n), cost)).toBe(false);
  });

  it('follows the gas price and the prices of both tokens', () => {
    expect(isBelowGasCost(usdc(9_000_000n), { ...cost, gasPrice: 19_999_999_999n })).toBe(false);
    expect(isBelowGasCost(usdc(9_000_000n), { ...cost, nativeUsd: '2999' })).toBe(false);
    expect(isBelowGasCost({ ...usdc(9_000_001n), usd: '0.99' }, cost)).toBe(true);
  });

  it('is worth at most the gas and a rollup’s data fee', () => {
    // Another dollar.
    const dataFee = 10n ** 18n / 3_000n;
    expect(isBelowGasCost(usdc(9_999_999n), { ...cost, dataFee })).toBe(true);
    expect(isBelowGasCost(usdc(10_000_001n), { ...cost, dataFee })).toBe(false);
  });
});
