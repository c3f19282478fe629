import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import { readMarketQuotes } from './market-quotes.js';

const now = new Date('2026-11-21T12:00:00Z');
const SECONDS = now.getTime() / 1000 - 30;
const read = (text: string): { prices: Record<string, string>; malformed: readonly string[] } => {
  const { quotes, malformed } = readMarketQuotes(text, now);
  const prices = [...quotes].map(([key, { usd }]) => [key, formatDecimal(usd)]);
  return { prices: Object.fromEntries(prices) as Record<string, string>, malformed };
};
const entry = (usd: string): string => `{"x":{"usd":${usd},"last_updated_at":${SECONDS}}}`;

describe('readMarketQuotes', () => {
  it.each([
    ['0.999812', '0.999812'],
    ['3021.123456789012345678', '3021.123456789012345678'],
    ['6.7e-07', '0.00000067'],
    ['1.25E+3', '1250'],
    ['97000', '97000'],
  ])('reads the price %s exactly', (usd, expected) => {
    expect(read(entry(usd))).toEqual({ prices: { x: expected }, malformed: [] });
  });

  it('reads the time of the price and lower-cases keys', () => {
    const { quotes } = readMarketQuotes(`{"0xAB":{"usd":1,"last_updated_at":${SECONDS}}}`, now);
    expect(quotes.get('0xab')?.asOf).toEqual(new Date(SECONDS * 1000));
  });

  it('has no price of absent, empty or null entries', () => {
    expect(read('{}')).toEqual({ prices: {}, malformed: [] });
    expect(read('{"x":{},"y":{"usd":null}}')).toEqual({ prices: {}, malformed: [] });
  });

  it.each([
    ['a negative price', entry('-1.5')],
    ['a price of zero', entry('0.00')],
    ['a price as a text', entry('"1.5"')],
    ['a decimal comma in a text', entry('"1,5"')],
    ['a price that is true', entry('true')],
    ['a price with a monstrous exponent', entry('1e400')],
    ['no time', '{"x":{"usd":1}}'],
    ['a time in the future', `{"x":{"usd":1,"last_updated_at":${SECONDS + 3_600}}}`],
    ['a time in milliseconds', `{"x":{"usd":1,"last_updated_at":${SECONDS}000}}`],
    ['no object', '{"x":1}'],
    ['a list', '{"x":[1]}'],
  ])('drops only the entry with %s', (_, text) => {
    const other = `,"y":{"usd":2,"last_updated_at":${SECONDS}}}`;
    expect(read(text.replace(/\}$/, other))).toEqual({ prices: { y: '2' }, malformed: ['x'] });
  });

  it.each([
    ['HTML', '<!DOCTYPE html><html></html>'],
    ['a decimal comma', entry('1,5')],
    ['a truncated response', entry('1.5').slice(0, -9)],
    ['an empty response', ''],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
  ])('refuses %s', (_, text) => {
    expect(() => readMarketQuotes(text, now)).toThrow(UnreadableResponseError);
  });
});
