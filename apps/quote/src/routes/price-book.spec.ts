import { decimal, formatDecimal, parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from './price-book.js';

const usd = new Map([
  ['usd', decimal(1n)],
  ['eur', decimal(125n, 2)],
  ['alphanet:0x', decimal(3_000n)],
]);

describe('PriceBook', () => {
  it('returns observed US dollar prices, and the dollar as 1.0', () => {
    const book = PriceBook.in('usd', usd);
    expect(book.show(['alphanet:0x', 'eur', 'usd'])).toEqual({
      'alphanet:0x': '3000',
      eur: '1.25',
      usd: '1.0',
    });
  });

  it('converts to another currency by its rate', () => {
    const book = PriceBook.in('eur', usd);
    expect(book.show(['alphanet:0x', 'eur', 'usd'])).toEqual({
      'alphanet:0x': '2400',
      eur: '1.0',
      usd: '0.8',
    });
  });

  it('calculates with exactly the displayed prices, rounded ones included', () => {
    const book = PriceBook.in('odd', new Map([...usd, ['odd', decimal(7n)]]));
    expect(book.show(['usd'])).toEqual({ usd: '0.1428571429' });
    expect(formatDecimal(book.priceOf('usd'))).toBe('0.1428571429');
  });

  it('rounds observed prices to ten significant digits', () => {
    const book = PriceBook.in('usd', new Map([['alphanet:0x', parseDecimal('3021.12345678901')]]));
    expect(book.show(['alphanet:0x', 'usd'])).toEqual({ 'alphanet:0x': '3021.123457', usd: '1.0' });
    expect(formatDecimal(book.priceOf('alphanet:0x'))).toBe('3021.123457');
  });

  it('returns known prices and throws for missing ones', () => {
    const book = PriceBook.in('usd', usd);
    expect(book.show(['betanet:0x'])).toEqual({});
    expect(() => book.priceOf('betanet:0x')).toThrow(new MissingPriceError('betanet:0x'));
  });

  it('leaves out a price that rounds to zero', () => {
    const book = PriceBook.in('eur', new Map([...usd, ['alphanet:0x', decimal(1n, 18)]]));
    expect(book.show(['alphanet:0x', 'eur'])).toEqual({ eur: '1.0' });
    expect(() => book.priceOf('alphanet:0x')).toThrow(new MissingPriceError('alphanet:0x'));
  });

  it('is empty and reports the currency when the currency has no rate', () => {
    const book = PriceBook.in('gbp', usd);
    expect(book.show(['usd'])).toEqual({});
    expect(() => book.priceOf('alphanet:0x')).toThrow(new MissingPriceError('gbp'));
  });
});
