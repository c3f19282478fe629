import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import { rateDocument } from '../../testing/rate-document.fixture.js';
import { parseEcbDocument } from './ecb-document.adapter.js';
import { usdRates } from '../../prices/ecb-rates.js';

const now = new Date('2026-11-21T12:00:00Z');
const read = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...usdRates(parseEcbDocument(text), now).usd].map(([code, usd]) => [code, formatDecimal(usd)]),
  );
const refusal = (text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
};

describe('the European Central Bank’s rates', () => {
  it('are converted to US dollars per unit, with the euro', () => {
    expect(read(rateDocument({ USD: '1.25', GBP: '0.5', JPY: '156.25' }))).toEqual({
      usd: '1',
      gbp: '2.5',
      jpy: '0.008',
      eur: '1.25',
    });
  });

  it('are dated by the day of the document', () => {
    const { asOf } = usdRates(parseEcbDocument(rateDocument({ USD: '1.1' }, '2026-11-20')), now);
    expect(asOf.toISOString()).toBe('2026-11-20T15:00:00.000Z');
  });

  const whole = rateDocument({ USD: '1.25', GBP: '0.5' });
  it.each([
    ['a truncated document', whole.slice(0, whole.indexOf('GBP'))],
    ['a document without its last bytes', whole.slice(0, -3)],
    ['an HTML page', '<!DOCTYPE html><html><body>Down for maintenance</body></html>'],
    ['nothing', ''],
    ['JSON', '{"USD":1.25}'],
    ['two documents', whole + whole],
    ['another envelope', whole.replaceAll('gesmes.org', 'example.org')],
    ['cubes of another vocabulary', whole.replace('eurofxref"', 'other"')],
    ['a document type', whole.replace('?>', '?><!DOCTYPE x [<!ENTITY e "1">]>')],
    ['no day', whole.replace(/ time='[^']*'/, '')],
    ['two days', whole.replace('</Cube>\n</gesmes', "<Cube time='2026-11-19'/></Cube>\n</gesmes")],
    ['a day that does not exist', rateDocument({ USD: '1.25' }, '2026-02-30')],
    ['a day of next week', rateDocument({ USD: '1.25' }, '2026-11-28')],
    ['no US dollar', rateDocument({ GBP: '0.5' })],
    ['no rates', rateDocument({})],
    ['a rate of 0', rateDocument({ USD: '1.25', GBP: '0' })],
    ['a negative rate', rateDocument({ USD: '1.25', GBP: '-0.5' })],
    ['a decimal comma', rateDocument({ USD: '1.25', GBP: '0,5' })],
    ['an empty rate', rateDocument({ USD: '1.25', GBP: '' })],
    ['an exponent', rateDocument({ USD: '1.25', GBP: '5e-1' })],
    ['a currency that is none', rateDocument({ USD: '1.25', pounds: '0.5' })],
    ['a currency twice', whole.replace('</Cube>', "<Cube currency='USD' rate='3'/></Cube>")],
  ])('are not read from %s', (_, text) => {
    expect(refusal(text)).toBeInstanceOf(UnreadableResponseError);
  });
});
