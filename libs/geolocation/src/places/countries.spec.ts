import { describe, expect, it } from '@jest/globals';
import { iso31661 } from 'iso-3166';
import { countryOf, isCountry, isPlace } from './countries.js';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

describe('countryOf', () => {
  it('has the alpha-3 code and the currency of every country', () => {
    expect(iso31661).toHaveLength(249);
    for (const { alpha2, alpha3 } of iso31661) {
      const country = countryOf(alpha2);
      expect(country).toEqual({ alpha2, alpha3, currency: expect.stringMatching(/^[a-z]{3}$/) });
      expect(CURRENCIES).toContain(country?.currency.toUpperCase());
    }
  });

  it.each([
    ['US', 'USA', 'usd'],
    ['us', 'USA', 'usd'],
    ['DE', 'DEU', 'eur'],
    ['BG', 'BGR', 'eur'],
    ['HR', 'HRV', 'eur'],
    ['GB', 'GBR', 'gbp'],
    ['CH', 'CHE', 'chf'],
    ['JP', 'JPN', 'jpy'],
    ['BR', 'BRA', 'brl'],
    ['PR', 'PRI', 'usd'],
    ['XK', 'XKX', 'eur'],
  ])('maps %s to %s with currency %s', (alpha2, alpha3, currency) => {
    expect(countryOf(alpha2)).toEqual({ alpha2: alpha2.toUpperCase(), alpha3, currency });
  });

  it.each(['', 'EU', 'ZZ', 'A1', 'USA', '__proto__', 'constructor'])(
    'returns no country for "%s"',
    (code) => {
      expect(countryOf(code)).toBeUndefined();
    },
  );
});

describe('isCountry', () => {
  it('accepts every code of ISO 3166-1, and the one of Kosovo', () => {
    for (const { alpha3 } of iso31661) expect(isCountry(alpha3)).toBe(true);
    expect(isCountry('XKX')).toBe(true);
  });

  it.each(['', 'ZZZ', 'XXX', 'AAA', 'USS', 'usa', 'US', 'EUE', 'SUN'])('refuses "%s"', (code) => {
    expect(isCountry(code)).toBe(false);
  });
});

describe('isPlace', () => {
  it.each(['USA', 'XKX', 'USA-NY', 'UKR-43', 'GBR-ENG', 'AND-07'])('knows %s', (code) => {
    expect(isPlace(code)).toBe(true);
  });

  it.each(['', 'US', 'usa', 'ZZZ', 'USA-', 'USA-ZZ', 'US-NY', 'DEU-NY', 'constructor'])(
    'does not know "%s"',
    (code) => {
      expect(isPlace(code)).toBe(false);
    },
  );
});
