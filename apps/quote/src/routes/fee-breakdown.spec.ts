import { addDecimals, compareDecimals, decimal, subDecimals, valueOf } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MissingPriceError, PriceBook } from './price-book.js';
import type { Amount } from './amount.js';
import { feeBreakdown } from './fee-breakdown.js';

const prices = PriceBook.in(
  'usd',
  new Map([
    ['alphanet:0x', decimal(2_500n)],
    ['alphanet:0x01', decimal(1n)],
  ]),
);
const usdc = (units: bigint): Amount => ({ asset: 'alphanet:0x01', decimals: 6, units });
const ether = (units: bigint): Amount => ({ asset: 'alphanet:0x', decimals: 18, units });

const signed = (text: string): Decimal =>
  text.startsWith('-') ? subDecimals('0', text.slice(1)) : { ...subDecimals(text, '0') };

describe('feeBreakdown', () => {
  it('attributes the remainder after gas and revenue shares to conversion fees', () => {
    const fees = feeBreakdown({
      input: usdc(100_000_000n),
      output: ether(39_000_000_000_000_000n),
      network: [usdc(1_000_000n)],
      business: [],
      prices,
    });
    expect(fees).toEqual({
      total_fees: '2.5',
      conversion_fees: '1.5',
      network_fees: '1',
      business_fees: '0',
      currency_symbol: 'usd',
    });
  });

  it('has no conversion fees for a transfer', () => {
    const fees = feeBreakdown({
      input: usdc(10_000_003n),
      output: usdc(9_999_999n),
      network: [usdc(4n)],
      business: [],
      prices,
    });
    expect(fees.conversion_fees).toBe('0');
    expect(fees.total_fees).toBe(fees.network_fees);
  });

  it('conserves value: input minus total fees is the output, and the parts sum to the total', () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 15n }).map((units) => decimal(units, 8));
    const units = fc.bigInt({ min: 1n, max: 10n ** 24n });
    const decimals = fc.constantFrom(0, 2, 6, 8, 18);
    const rate = price;
    fc.assert(
      fc.property(
        fc.record({ units, decimals, price }),
        fc.record({ units, decimals, price }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        rate,
        (input, output, gas, eur) => {
          const book = PriceBook.in(
            'eur',
            new Map([
              ['in', input.price],
              ['out', output.price],
              ['eur', eur],
            ]),
          );
          const fees = feeBreakdown({
            input: { asset: 'in', ...input },
            output: { asset: 'out', ...output },
            network: [{ asset: 'in', decimals: input.decimals, units: gas }],
            business: [],
            prices: book,
          });
          const shown = book.show(['in', 'out']);
          const left = subDecimals(
            valueOf(input.units, input.decimals, shown['in'] ?? '0'),
            signed(fees.total_fees),
          );
          const off = subDecimals(
            valueOf(output.units, output.decimals, shown['out'] ?? '0'),
            left,
          );
          expect(compareDecimals(off, '0')).not.toBe(-1);
          expect(compareDecimals(off, '0.00000001')).toBe(-1);
          const parts = addDecimals(
            signed(fees.conversion_fees),
            signed(fees.network_fees),
            signed(fees.business_fees),
          );
          expect(compareDecimals(parts, signed(fees.total_fees))).toBe(0);
        },
      ),
    );
  });

  it('requires every price', () => {
    const unknown: Amount = { asset: 'betanet:0x', decimals: 18, units: 1n };
    expect(() =>
      feeBreakdown({ input: unknown, output: usdc(1n), network: [], business: [], prices }),
    ).toThrow(MissingPriceError);
  });
});
