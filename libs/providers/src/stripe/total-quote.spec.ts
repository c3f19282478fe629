import { addDecimals, compareDecimals, formatDecimal, mulDecimals } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quoteForTotal } from './total-quote.js';

const quoteWith =
  (share: string, fixed: string, asked: string[] = []) =>
  (sourceAmount: string) => {
    asked.push(sourceAmount);
    // Fees in cents, rounded up.
    const fee = formatDecimal(mulDecimals(sourceAmount, share), 2, 'up');
    return Promise.resolve({ sourceAmount, fees: addDecimals(fee, fixed) });
  };

describe('a quote for a total', () => {
  it('is the first one without fees', async () => {
    const asked: string[] = [];
    const quote = await quoteForTotal('100', quoteWith('0', '0', asked));
    expect(quote?.sourceAmount).toBe('100');
    expect(asked).toEqual(['100']);
  });

  it.each([
    ['0.04', '0.17', ['100', '95.83']],
    ['0.05', '0', ['100', '95']],
    ['0.20', '1', ['100', '79', '82.08']],
  ])('subtracts fees of %s and %s', async (share, fixed, expected) => {
    const asked: string[] = [];
    await quoteForTotal('100', quoteWith(share, fixed, asked));
    expect(asked).toEqual(expected);
  });

  it('is at most the total and at least 99 % of it', async () => {
    const cases = fc.asyncProperty(
      fc.integer({ min: 10, max: 10_000 }),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 0, max: 400 }),
      async (total, percent, fixed) => {
        const share = formatDecimal(mulDecimals(String(percent), '0.01'));
        const quote = await quoteForTotal(
          String(total),
          quoteWith(share, formatDecimal(mulDecimals(String(fixed), '0.01'))),
        );
        const paid = quote ? addDecimals(quote.sourceAmount, quote.fees) : '-';
        expect(paid).not.toBe('-');
        expect(compareDecimals(paid, String(total))).not.toBe(1);
        expect(compareDecimals(paid, mulDecimals(String(total), '0.99'))).not.toBe(-1);
      },
    );
    await fc.assert(cases);
  });

  it('does not exist where the fees take the whole total', async () => {
    expect(await quoteForTotal('100', quoteWith('0', '100'))).toBeUndefined();
    expect(await quoteForTotal('100', quoteWith('1.5', '0'))).toBeUndefined();
  });

  it('is not looked for endlessly when the fees move', async () => {
    let calls = 0;
    const quote = await quoteForTotal('100', (sourceAmount) => {
      calls += 1;
      return Promise.resolve({ sourceAmount, fees: addDecimals(String(10 * calls)) });
    });
    expect(quote).toBeUndefined();
    expect(calls).toBe(3);
  });
});
