import { describe, expect, it } from '@jest/globals';
import { balanceResult, failedBalance, isShown, NO_ACCOUNT } from './balance-results.js';

const token = 'alphanet:0x00000000000000000000000000000000000000c1';
const address = '0x3890284369d25849feab49d6d4fef646d7fbb860';
const found = { address, token, decimals: 6, units: 12_500_000n, fee: 300_000n } as const;

describe('a balance', () => {
  it('is shown in whole units with its withdrawal fee', () => {
    expect(balanceResult(found)).toEqual({
      address: '0x3890284369D25849fEaB49D6d4FeF646d7Fbb860',
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

  it('names no account where nothing can be withdrawn', () => {
    for (const result of [balanceResult(found, NO_ACCOUNT), failedBalance(address, token, {})]) {
      expect(Object.keys(result)).toEqual(['address', 'token', 'value']);
    }
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
