import { DEFAULT_COUNTRY_RULES } from '@bascule/contracts';
import { isPlace } from '@bascule/geolocation';
import { UsageError } from '@bascule/operator-commands';
import { describe, expect, it } from '@jest/globals';
import { parseCountryCommand } from './country-arguments.js';

const parse = (line: string) => parseCountryCommand(line.split(' '), isPlace);

describe('the command line of country rules', () => {
  it('reads places once, in any letter case', () => {
    const places = ['CUB', 'UKR-43'];
    expect(parse('countries prohibit --places CUB,ukr-43,CUB')).toEqual({
      name: 'countries prohibit',
      places,
    });
    expect(parse('countries permit --places cub,UKR-43')).toEqual({
      name: 'countries permit',
      places,
    });
    expect(parse('countries list')).toEqual({ name: 'countries list' });
  });

  it('reads payment methods', () => {
    expect(parse('countries restrict --method sepa --places DEU')).toEqual({
      name: 'countries restrict',
      method: 'SEPA',
      places: ['DEU'],
    });
    expect(parse('countries unrestrict --method PIX')).toEqual({
      name: 'countries unrestrict',
      method: 'PIX',
    });
  });

  it.each([
    ['prohibit', '--places is missing'],
    ['prohibit --places US', 'got US'],
    ['prohibit --places USA,,CUB', 'codes like USA or USA-NY'],
    ['permit --places USA-ZZ', 'got USA-ZZ'],
    ['restrict --method SEPA', '--places is missing'],
    ['restrict --method CHEQUE --places USA', 'expected one of CREDIT_CARD'],
    ['unrestrict', '--method is missing'],
    ['forbid --places USA', 'unknown command: countries forbid'],
  ])('refuses "countries %s"', (line, message) => {
    expect(() => parse(`countries ${line}`)).toThrow(UsageError);
    expect(() => parse(`countries ${line}`)).toThrow(message);
  });
});

describe('the default country rules', () => {
  it('name known places, each once', () => {
    const { prohibited, methods } = DEFAULT_COUNTRY_RULES;
    for (const places of [prohibited, ...Object.values(methods)]) {
      expect(places.filter((place) => !isPlace(place))).toEqual([]);
      expect(new Set(places).size).toBe(places.length);
    }
  });
});
