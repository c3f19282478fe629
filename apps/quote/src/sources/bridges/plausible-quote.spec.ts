import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { MissingPriceError, PriceBook } from '../../routes/price-book.js';
import { FOREIGN_USDC, of, USDC } from '../../testing/a-quoted-route.fixture.js';
import { implausibleQuote } from './plausible-quote.js';

const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, parseDecimal('0.9998')],
    [FOREIGN_USDC, parseDecimal('1.0003')],
  ]),
);
const of100 = (delivered: bigint, latencySeconds = 12, book = prices) =>
  implausibleQuote({
    quote: { bridge: 'escrow', adapter: '0x', delivered, latencySeconds },
    sent: of(USDC, 100_000_000n),
    delivered: of(FOREIGN_USDC, delivered),
    prices: book,
  });

describe('implausibleQuote', () => {
  it('has nothing against a fee, nor against prices that differ a little between chains', () => {
    for (const delivered of [1n, 99_000_000n, 99_999_999n]) expect(of100(delivered)).toBeNull();
  });

  it.each([0n, -1n, 102_000_000n, 10n ** 30n, 2n ** 256n])(
    'does not believe that %s of 100 arrive',
    (delivered) => {
      expect(of100(delivered)).toMatchObject({ kind: 'provider' });
    },
  );

  it.each([-1, NaN, Infinity, 86_401])('does not wait %s seconds', (seconds) => {
    expect(of100(99_000_000n, seconds)).toMatchObject({ kind: 'provider' });
  });

  it('guesses no price', () => {
    const empty = PriceBook.in('usd', new Map());
    expect(() => of100(1n, 12, empty)).toThrow(MissingPriceError);
  });
});
