import { describe, expect, it } from '@jest/globals';
import { orderAmountIssue, orderFeeIssue } from './order-amount-issues.js';

const token = (amount: bigint) => ({
  id: 'alphanet:0x01' as const,
  symbol: 'USDC',
  decimals: 6,
  address: '0x01' as const,
  amount,
});

describe('an order', () => {
  it('must be withdrawn in full', () => {
    expect(orderAmountIssue(token(5_000_000n), 5_000_000n)).toBeNull();
    const limits = { min: '5', max: '5' };
    const low = { kind: 'amount', given: '4.999999', limits, reason: 'TOO_LOW' };
    expect(orderAmountIssue(token(4_999_999n), 5_000_000n)).toMatchObject(low);
    expect(orderAmountIssue(token(4_999_999n), 5_000_000n)?.message).toBe(
      'Given amount is 4.999999 USDC, but the order holds 5 USDC and can only be withdrawn as a whole.',
    );
    const high = { given: '5.000001', limits, reason: 'TOO_HIGH' };
    expect(orderAmountIssue(token(5_000_001n), 5_000_000n)).toMatchObject(high);
  });

  it('must be worth more than its fee', () => {
    expect(orderFeeIssue(token(11n), 11n, 10n)).toBeNull();
    expect(orderFeeIssue(token(10n), 10n, 10n)).toMatchObject({
      reason: 'TOO_LOW',
      limits: { min: '0.000011', max: '0.00001' },
      message: 'Given amount is 0.00001 USDC, of which the fee of 0.00001 USDC leaves too little.',
    });
  });
});
