import { decimal, formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from './price-book.js';

const usd = new Map([
  ['usd', decimal(1n)],
  ['eur', decimal(125n, 2)],
  ['alphanet:0x', decimal(3_000n)],
]);

describe('PriceBook', () => {
  it('returns observed US dollar prices unchanged', () => {
    const book = PriceBook.in('usd', usd);
    expect(book.show(['alphanet:0x', 'eur', 'usd'])).toEqual({
      'alphanet:0x': '3000',
      eur: '1.25',
      usd: '1',
    });
  });

  it('converts to another currency by its rate', () => {
    const book = PriceBook.in('eur', usd);
    expect(book.show(['alphanet:0x', 'eur', 'usd'])).toEqual({
      'alphanet:0x': '2400',
      eur: '1',
      usd: '0.8',
    });
  });

  it('calculates with exactly the displayed prices, rounded ones included', () => {
    const book = PriceBook.in('odd', new Map([...usd, ['odd', decimal(7n)]]));
    expect(book.show(['usd'])).toEqual({ usd: '0.142857142857142857' });
    expect(formatDecimal(book.priceOf('usd'))).toBe('0.142857142857142857');
  });

  it('returns known prices and throws for missing ones', () => {
    const book = PriceBook.in('usd', usd);
    expect(book.show(['betanet:0x'])).toEqual({});
    expect(() => book.priceOf('betanet:0x')).toThrow(new MissingPriceError('betanet:0x'));
  });

  it('is empty and reports the currency when the currency has no rate', () => {
    const book = PriceBook.in('gbp', usd);
    expect(book.show(['usd'])).toEqual({});
    expect(() => book.priceOf('alphanet:0x')).toThrow(new MissingPriceError('gbp'));
  });
});
