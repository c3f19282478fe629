import { decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from '../routes/price-book.js';
import { amountTooLowIssue, legGas as gasOfLeg, networkFee, type PartsGas } from './network-fee.js';

const native = { id: 'alphanet:0x', decimals: 18 } as const;
const usdc = { id: 'alphanet:0x01', decimals: 6 } as const;
const prices = PriceBook.in(
  'usd',
  new Map([
    [native.id, decimal(2_500n)],
    [usdc.id, decimal(1n)],
  ]),
);

describe('legGas', () => {
  it('adds the conversion, the bridge and further fees to a transfer', () => {
    const legGas = (parts: Omit<PartsGas, 'businessFees'>) =>
      gasOfLeg({ ...parts, businessFees: 0 });
    expect(legGas({ conversion: null, bridge: null })).toBe(200_000n);
    expect(legGas({ conversion: 90_000n, bridge: null })).toBe(300_000n);
    expect(legGas({ conversion: null, bridge: 50_000n })).toBe(250_000n);
    expect(legGas({ conversion: 90_000n, bridge: 50_000n })).toBe(350_000n);
    expect(gasOfLeg({ conversion: null, bridge: null, businessFees: 2 })).toBe(280_000n);
  });
});

describe('networkFee', () => {
  it('converts the cost of gas to the paying token, rounded up', () => {
    const fee = { gas: 200_000n, native, token: usdc, prices };
    expect(networkFee({ ...fee, gasPrice: 1_000_000_000n })).toBe(500_000n);
    expect(networkFee({ ...fee, gasPrice: 1_000_000_001n })).toBe(500_001n);
  });

  it('needs no price where the native currency pays', () => {
    const without = PriceBook.in('usd', new Map());
    const fee = { gas: 3n, gasPrice: 7n, native, prices: without };
    expect(networkFee({ ...fee, token: native })).toBe(21n);
    expect(() => networkFee({ ...fee, token: usdc })).toThrow(MissingPriceError);
  });
});

describe('amountTooLowIssue', () => {
  const legInput = { asset: usdc.id, decimals: 6, units: 1_000_000n };
  const facts = {
    ...{ given: legInput, legInput, chain: 'alphanet', rest: 0n },
    deducted: { fee: 1_000_000n, ppm: 0n },
  };

  it('names the least amount that leaves something', () => {
    expect(amountTooLowIssue(facts)).toEqual({
      kind: 'amount',
      limits: { min: '1.000001', max: null },
      asset: usdc.id,
      given: '1',
      source: 'alphanet',
      message: 'The network fee of alphanet leaves nothing of the amount.',
      reason: 'TOO_LOW',
    });
  });

  it('names an amount that leaves something after a revenue share of it', () => {
    const deducted = { fee: 1_000_000n, ppm: 25_000n };
    const { limits } = amountTooLowIssue({ ...facts, deducted, rest: -25_000n });
    expect(limits.min).toBe('1.025643');
    // 1.025643 less 2.5 % (0.025641) and the fee leaves 0.000002; one unit less leaves 0.000001.
    expect(1_025_643n - (1_025_643n * 25_000n) / 1_000_000n - 1_000_000n).toBeGreaterThan(0n);
  });

  it('names no least amount where the fee leaves too little', () => {
    expect(amountTooLowIssue({ ...facts, rest: 1n })).toMatchObject({
      limits: { min: null, max: null },
      message: 'The network fee of alphanet leaves too little of the amount.',
    });
  });

  it('names the limits of a later leg apart from those of the given amount', () => {
    const given = { asset: 'usd', decimals: 2, units: 250n };
    expect(amountTooLowIssue({ ...facts, given })).toMatchObject({
      kind: 'amount-downstream',
      limits: { min: null, max: null },
      downstream_limits: { min: '1.000001', max: null },
      asset: 'usd',
      given: '2.5',
    });
  });
});
