import { parseDecimal } from '@bascule/amounts';
import type { AmountLimits } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { PriceBook } from '../routes/price-book.js';
import { given, of, USDC, WETH } from '../testing/quoted-route.fixture.js';
import {
  bridgeInputLimits,
  bridgeLimitIssue,
  limitReason,
  type OfferedTransfer,
  type RefusedTransfer,
} from './bridge-limits.js';

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

describe('limitReason', () => {
  it('is null within the limits, both included', () => {
    for (const sent of [1_000_000n, 100_000_000n]) {
      expect(limitReason(direct(sent), limits)).toBeNull();
    }
    expect(limitReason(direct(5n), {})).toBeNull();
  });

  it('counts the least amount after slippage against the minimum', () => {
    expect(limitReason(converted, { min: 2_890_000_000n, max: 9_000_000_000n })).toBe('TOO_LOW');
    expect(limitReason(converted, { min: 2_885_500_000n, max: 2_900_000_000n })).toBeNull();
    expect(limitReason(converted, { max: 2_899_999_999n })).toBe('TOO_HIGH');
  });

  it('tells that no amount is valid', () => {
    expect(limitReason(direct(5n), { ...limits, max: 0n })).toBe('NO_VALID_AMOUNT');
  });
});

describe('bridgeLimitIssue', () => {
  const issueOf = (
    reason: RefusedTransfer['reason'],
    transfer: OfferedTransfer,
    { own = limits, inputs = {} }: { own?: RefusedTransfer['limits']; inputs?: AmountLimits } = {},
  ) => bridgeLimitIssue({ bridge: 'escrow', reason, limits: own, transfer }, inputs);

  it('tells what the bridge accepts, and the inputs that work', () => {
    expect(issueOf('TOO_LOW', direct(999_999n), { inputs: { min: '3' } })).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '1.499999',
      limits: { min: '3' },
      source: 'escrow',
      message:
        'Given amount is 1.499999 USDC, which becomes 0.999999 USDC, but escrow accepts 1 to 100 USDC.',
      reason: 'TOO_LOW',
    });
  });

  it('tells limits in both assets where the bridge takes another token', () => {
    expect(issueOf('TOO_HIGH', converted, { inputs: { max: '0.04' } })).toEqual({
      kind: 'amount-downstream',
      asset: WETH,
      given: '1',
      limits: { max: '0.04' },
      downstream_limits: { min: '1', max: '100' },
      source: 'escrow',
      message: 'Given amount is 1 WETH, which becomes 2900 USDC, but escrow accepts 1 to 100 USDC.',
      reason: 'TOO_HIGH',
    });
  });

  it('tells the least amount that reaches the bridge', () => {
    const least = { min: 2_890_000_000n };
    expect(issueOf('TOO_LOW', converted, { own: least }).message).toBe(
      'Given amount is 1 WETH, which becomes at least 2885.5 USDC, but escrow accepts at least 2890 USDC.',
    );
  });

  it('names no limits that six digits would reverse', () => {
    const own = { min: 1_234_567n, max: 1_234_568n };
    const { downstream_limits, message } = issueOf('TOO_HIGH', converted, { own });
    expect(downstream_limits).toEqual({});
    expect(message).toMatch(/ but escrow accepts other amounts\.$/);
  });

  it('reports that no amount is valid, without limits', () => {
    expect(issueOf('NO_VALID_AMOUNT', converted, { own: { ...limits, max: 0n } })).toMatchObject({
      kind: 'amount',
      limits: {},
      reason: 'NO_VALID_AMOUNT',
      message: expect.stringMatching(/ but escrow accepts no amount of USDC now\.$/),
    });
  });
});

describe('bridgeInputLimits', () => {
  it('allow for a change of the network fee', () => {
    expect(bridgeInputLimits(limits, direct(5n))).toEqual({ min: '1.55', max: '100.45' });
  });

  it('include a revenue share', () => {
    expect(bridgeInputLimits(limits, direct(5n, 25_000n))).toEqual({
      ...{ min: '1.58975', max: '103.025' },
    });
  });

  it('are estimates where the bridge takes another token', () => {
    // 100 USDC and gas of 30 dollars, of a dollar's worth in for every 0.977 out, less 1 %.
    expect(bridgeInputLimits(limits, converted)).toEqual({ min: '0.0107392', max: '0.0439249' });
  });

  it('are empty where no amount is within the limits', () => {
    expect(bridgeInputLimits({ min: 9n, max: 8n }, direct(5n))).toEqual({});
  });

  it('leave out an open limit', () => {
    expect(bridgeInputLimits({ min: 0n }, direct(5n))).toEqual({ min: '0.55' });
    expect(bridgeInputLimits({ max: 1_000_000n }, direct(5n))).toEqual({ max: '1.45' });
    expect(bridgeInputLimits({}, direct(5n))).toEqual({});
  });
});
