import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { PriceBook } from '../routes/price-book.js';
import { given, of, USDC, WETH } from '../testing/quoted-route.fixture.js';
import { bridgeInputLimits, bridgeLimitIssue, type OfferedTransfer } from './bridge-limits.js';

const limits = { min: 1_000_000n, max: 100_000_000n };
const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, parseDecimal('1')],
    [WETH, parseDecimal('3000')],
  ]),
);
/** Transfer of USDC of which 0.5 USDC pays for gas. */
const direct = (sent: bigint, ppm = 0n): OfferedTransfer => ({
  input: given(USDC, sent + 500_000n),
  legInput: of(USDC, sent + 500_000n),
  sent: of(USDC, sent),
  minSent: sent,
  symbol: 'USDC',
  deducted: { fee: 500_000n, ppm },
  prices,
});
/** 1 WETH, of which 0.01 pays for gas, becomes 2,900 USDC, less at most 0.5 %. */
const converted: OfferedTransfer = {
  ...direct(2_900_000_000n),
  minSent: 2_885_500_000n,
  input: given(WETH, 10n ** 18n),
  legInput: of(WETH, 10n ** 18n),
  deducted: { fee: 10n ** 16n, ppm: 0n },
};

describe('bridgeLimitIssue', () => {
  it('tells limits of the input, with room for a change of the network fee', () => {
    expect(bridgeLimitIssue('escrow', limits, direct(999_999n))).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '1.499999',
      limits: { min: '1.55', max: '100.45' },
      source: 'escrow',
      message: 'Given amount is 1.499999 USDC, but escrow accepts 1.55 to 100.45 USDC.',
      reason: 'TOO_LOW',
    });
    expect(bridgeLimitIssue('escrow', limits, direct(100_000_001n))).toMatchObject({
      reason: 'TOO_HIGH',
    });
  });

  it('includes a revenue share', () => {
    expect(bridgeLimitIssue('escrow', limits, direct(999_999n, 25_000n))).toMatchObject({
      limits: { min: '1.58975', max: '103.025' },
    });
  });

  it('tells limits in both assets where the bridge takes another token', () => {
    expect(bridgeLimitIssue('escrow', limits, converted)).toEqual({
      kind: 'amount-downstream',
      asset: WETH,
      given: '1',
      // 100 USDC and gas of 30 dollars, of a dollar's worth in for every 0.977 out, less 1 %.
      limits: { min: '0.0107392', max: '0.0439249' },
      downstream_limits: { min: '1', max: '100' },
      source: 'escrow',
      message: 'Given amount is 1 WETH, which becomes 2900 USDC, but escrow accepts 1 to 100 USDC.',
      reason: 'TOO_HIGH',
    });
  });

  it('counts the least amount after slippage against the minimum', () => {
    const least = { min: 2_890_000_000n, max: 9_000_000_000n };
    const issue = bridgeLimitIssue('escrow', least, converted);
    expect(issue).toMatchObject({ kind: 'amount-downstream', reason: 'TOO_LOW' });
    expect(issue?.message).toContain('which becomes at least 2885.5 USDC, but');
    expect(Number(issue?.limits.min)).toBeGreaterThan(1.01);
  });

  it('reports that no amount is valid, without limits', () => {
    expect(bridgeLimitIssue('escrow', { ...limits, max: 0n }, direct(5n))).toMatchObject({
      kind: 'amount',
      limits: {},
      reason: 'NO_VALID_AMOUNT',
      message: expect.stringMatching(/accepts no amount of USDC now\.$/),
    });
  });

  it('leaves out an open limit', () => {
    const issue = bridgeLimitIssue('escrow', { min: 1_000_000n }, direct(5n));
    expect(issue?.limits).toEqual({ min: '1.55' });
    expect(issue?.message).toContain('accepts at least 1.55 USDC');
  });

  it('is null within the limits, both included', () => {
    for (const sent of [1_000_000n, 100_000_000n]) {
      expect(bridgeLimitIssue('escrow', limits, direct(sent))).toBeNull();
    }
  });
});

describe('bridgeInputLimits', () => {
  it('is empty where no amount is within the limits', () => {
    expect(bridgeInputLimits({ min: 9n, max: 8n }, direct(5n))).toEqual({});
    expect(bridgeInputLimits({ min: 0n }, direct(5n))).toEqual({ min: '0.55' });
    expect(bridgeInputLimits({ max: 1_000_000n }, direct(5n))).toEqual({ max: '1.45' });
  });

  it('is empty for unknown limits', () => {
    expect(bridgeInputLimits({}, direct(5n))).toEqual({});
  });
});
