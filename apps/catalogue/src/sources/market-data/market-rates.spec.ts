import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import { readMarketRates } from './market-rates.js';
import { ratesResponse } from '../../testing/market-data-stub.fixture.js';

const answer = (values: Record<string, string>): string =>
  ratesResponse(new Map(Object.entries(values)));
const read = (text: string): { usd: Record<string, string>; malformed: readonly string[] } => {
  const { usd, malformed } = readMarketRates(text);
  const texts = [...usd].map(([code, rate]) => [code, formatDecimal(rate)]);
  return { usd: Object.fromEntries(texts) as Record<string, string>, malformed };
};
const refusal = (text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
};

describe('a market-data API’s exchange rates', () => {
  it('become US dollars per unit of fiat, without coins and metals', () => {
    expect(read(answer({ usd: '67187.5', ngn: '107500000', kwd: '21500' }))).toEqual({
      usd: { usd: '1', ngn: '0.000625', kwd: '3.125' },
      malformed: [],
    });
  });

  it.each([
    ['a rate of 0', '0'],
    ['a negative rate', '-5'],
    ['a decimal comma in a text', '"107500000,5"'],
    ['a number in a text', '"107500000"'],
    ['nothing', 'null'],
    ['an endless number', `1${'0'.repeat(200)}`],
  ])('drop only the currency with %s', (_, value) => {
    expect(read(answer({ usd: '60000', ngn: value, gbp: '48000' }))).toEqual({
      usd: { usd: '1', gbp: '1.25' },
      malformed: ['ngn'],
    });
  });

  it.each([
    ['a page of HTML', '<!DOCTYPE html><html><body>Just a moment...</body></html>'],
    ['a bare decimal comma', answer({ usd: '60000', ngn: '107500000,5' })],
    ['a truncated response', answer({ usd: '60000', ngn: '107500000' }).slice(0, -20)],
    ['nothing', ''],
    ['a list', '[]'],
    ['no rates', '{"status":{"error_code":10005}}'],
    ['rates that are a text', '{"rates":"usd"}'],
    ['no US dollar', answer({ ngn: '107500000' })],
    ['a US dollar of 0', answer({ usd: '0', ngn: '107500000' })],
    ['a US dollar that is a coin', '{"rates":{"usd":{"value":1,"type":"crypto"}}}'],
  ])('are not read from %s', (_, text) => {
    expect(refusal(text)).toBeInstanceOf(UnreadableResponseError);
  });
});
