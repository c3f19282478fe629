import { describe, expect, it } from '@jest/globals';
import type { AmountLimits } from '@bascule/contracts';
import fc from 'fast-check';
import { orderAmountIssue, orderFeeIssue } from './order-amount-issues.js';

const isReversed = ({ min, max }: AmountLimits): boolean =>
  min !== undefined && max !== undefined && Number(min) > Number(max);

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

  it('has no limits with a minimum above the maximum', () => {
    const units = fc.bigInt({ min: 0n, max: 100n });
    fc.assert(
      fc.property(units, units, units, (amount, held, fee) => {
        const found = [
          orderAmountIssue(token(amount), held),
          orderFeeIssue(token(held), held, fee),
        ];
        for (const issue of found) expect(isReversed(issue?.limits ?? {})).toBe(false);
      }),
    );
  });

  it('must be worth more than its fee', () => {
    expect(orderFeeIssue(token(11n), 11n, 10n)).toBeNull();
    expect(orderFeeIssue(token(10n), 10n, 10n)).toMatchObject({
      reason: 'NO_VALID_AMOUNT',
      limits: { min: '0.000011' },
      message: 'Given amount is 0.00001 USDC, of which the fee of 0.00001 USDC leaves too little.',
    });
  });
});
