import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '@bascule/contracts';
import type { TokenAmount, TokenIdentifier } from '@bascule/contracts';
import { amountIssue, chainOfTokens, requestedTokens } from './requested-tokens.js';

const USDC: TokenIdentifier = 'alphanet:0x00000000000000000000000000000000000000c1';
const known = [
  { id: USDC, symbol: 'USDC', decimals: 6 },
  { id: 'alphanet:0x', symbol: 'ETH', decimals: 18 },
] as const;

function errorsOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.errors;
    throw error;
  }
  return [];
}

describe('the tokens of a withdrawal', () => {
  it('have amounts in smallest units, and the zero address for the native currency', () => {
    const tokens = requestedTokens(
      [
        { token: USDC, amount: '12.5' },
        { token: 'alphanet:0x', amount: '1' },
      ],
      known,
    );
    expect(tokens.map(({ address, amount }) => [address, amount])).toEqual([
      ['0x00000000000000000000000000000000000000c1', 12_500_000n],
      ['0x0000000000000000000000000000000000000000', 10n ** 18n],
    ]);
  });

  it('must be on one chain', () => {
    const tokens: TokenAmount[] = [
      { token: USDC, amount: '1' },
      { token: 'betanet:0x', amount: '1' },
    ];
    expect(errorsOf(() => chainOfTokens(tokens))).toMatchObject([
      { code: 'custom', path: ['token_amounts', 1, 'token'] },
    ]);
  });

  it('are refused with every problem', () => {
    const tokens: TokenAmount[] = [
      { token: USDC, amount: '1.0000001' },
      { token: 'alphanet:0x00000000000000000000000000000000000000c9', amount: '1' },
      { token: 'alphanet:0x', amount: '0' },
      { token: USDC, amount: '1' },
    ];
    expect(errorsOf(() => requestedTokens(tokens, known))).toMatchObject([
      { path: ['token_amounts', 0, 'amount'] },
      { path: ['token_amounts', 1, 'token'] },
      { path: ['token_amounts', 2, 'amount'] },
      { path: ['token_amounts', 3, 'token'] },
    ]);
  });
});

describe('an amount', () => {
  const token = { ...known[0], address: '0x00000000000000000000000000000000000000c1' } as const;

  it.each([
    [1_000_000n, 'TOO_HIGH'],
    [300_000n, 'TOO_LOW'],
    [300_001n, null],
    [900_000n, null],
  ])('at %p, with 0.9 in the wallet and a fee of 0.3, is %p', (amount, reason) => {
    expect(amountIssue({ ...token, amount }, 900_000n, 300_000n)?.reason ?? null).toBe(reason);
  });

  it('above a balance that does not cover the fee has a minimum only', () => {
    expect(amountIssue({ ...token, amount: 2n }, 1n, 300_000n)).toMatchObject({
      limits: { min: '0.300001' },
      reason: 'NO_VALID_AMOUNT',
    });
  });

  it('is never refused with a minimum above the maximum', () => {
    const units = fc.bigInt({ min: 0n, max: 100n });
    fc.assert(
      fc.property(units, units, units, (amount, balance, fee) => {
        const { min, max } = amountIssue({ ...token, amount }, balance, fee)?.limits ?? {};
        expect(Number(min ?? 0)).toBeLessThanOrEqual(Number(max ?? 1));
      }),
    );
  });

  it('is refused with the accepted range', () => {
    expect(amountIssue({ ...token, amount: 1n }, 900_000n, 300_000n)).toMatchObject({
      given: '0.000001',
      limits: { min: '0.300001', max: '0.9' },
      message: `Given amount is 0.000001 ${token.symbol}, of which the fee of 0.3 ${token.symbol} leaves too little.`,
    });
    expect(amountIssue({ ...token, amount: 900_001n }, 900_000n, 0n)?.message).toBe(
      `Given amount is 0.900001 ${token.symbol}, but the wallet holds 0.9 ${token.symbol}.`,
    );
  });
});
