import { decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from '../routes/price-book.js';
import { legGas as gasOfLeg, legGasLimit, networkFee, type PartsGas } from './network-fee.js';

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

describe('legGasLimit', () => {
  it('has room for more than is charged', () => {
    expect(legGasLimit(200_000n)).toBe(500_000n);
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
