import { describe, expect, it } from '@jest/globals';
import { withdrawalCostUsd } from './withdrawal-cost.js';

describe('withdrawalCostUsd', () => {
  it('prices the gas that the withdrawal service charges', () => {
    expect(withdrawalCostUsd(1_000_000_000n, '3000')).toBe('0.366');
    expect(withdrawalCostUsd(0n, '3000')).toBe('0');
    expect(withdrawalCostUsd(0n, '3000', 10n ** 15n)).toBe('3');
  });
});
