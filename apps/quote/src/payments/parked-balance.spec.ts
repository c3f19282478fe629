import { describe, expect, it } from '@jest/globals';
import { requotedInput } from './parked-balance.js';

const token = 'alphanet:0x00000000000000000000000000000000000000aa' as const;

describe('the input of a requote', () => {
  it.each([
    [6, 10_000_000n, 300_001n, '9.699999'],
    [6, 300_002n, 300_001n, '0.000001'],
    [18, 10n ** 18n, 1n, '0.999999999999999999'],
    [0, 7n, 0n, '7'],
  ])('with %p decimals is the balance %p less the fee %p: %p', (decimals, held, fee, amount) => {
    expect(requotedInput({ token, symbol: 'USDC', decimals, held, fee })).toEqual({
      amount: { asset: token, amount },
    });
  });

  it.each([
    ['no balance', 0n, 300_000n, '0'],
    ['a balance as large as the fee', 300_000n, 300_000n, '0.3'],
    ['no balance and no fee', 0n, 0n, '0'],
  ])('has no valid amount with %s', (_what, held, fee, given) => {
    expect(requotedInput({ token, symbol: 'USDC', decimals: 6, held, fee })).toEqual({
      issue: {
        kind: 'amount',
        asset: token,
        given,
        limits: {},
        source: 'withdrawal',
        message: expect.stringMatching(/^Given amount is [0-9.]+ USDC,/) as unknown,
        reason: 'NO_VALID_AMOUNT',
      },
    });
  });
});
