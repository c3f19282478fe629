import { describe, expect, it } from '@jest/globals';
import { balanceResult, isShown } from './balance-results.js';

const token = 'alphanet:0x00000000000000000000000000000000000000c1';
const found = { address: '0x01', token, decimals: 6, units: 12_500_000n, fee: 300_000n } as const;

describe('a balance', () => {
  it('is shown in whole units with its withdrawal fee', () => {
    expect(balanceResult(found)).toEqual({
      address: '0x01',
      token,
      value: {
        kind: 'amount',
        amount: '12.5',
        withdrawal_fee: '0.3',
        min_withdrawal_amount: '0.300001',
      },
      withdraw_account: 'SPW',
      account: 'spw',
    });
  });

  it.each([{ units: null }, { fee: null }])('is an error with %j', (unknown) => {
    expect(balanceResult({ ...found, ...unknown }).value).toEqual({ kind: 'error' });
  });

  it('is shown as zero only for the deposit token', () => {
    const none = { ...found, units: 0n };
    expect(isShown(found, 'alphanet:0x')).toBe(true);
    expect(isShown(none, 'alphanet:0x')).toBe(false);
    expect(isShown(none, token)).toBe(true);
  });
});
