import { describe, expect, it } from '@jest/globals';
import { DEFAULT_COUNTRY_RULES } from '../events/country-rules-events.js';
import { isServed, placeName, refusedPlace } from './served-places.js';

const at = (alpha3_country_code: string, state_code = '') => ({ alpha3_country_code, state_code });

describe('isServed', () => {
  it.each([
    ['serves everywhere without a list', {}, at('USA', 'NY'), true],
    ['serves a listed country', { only: ['USA', 'DEU'] }, at('DEU', 'BY'), true],
    ['does not serve an unlisted country', { only: ['USA'] }, at('DEU'), false],
    ['serves a listed subdivision', { only: ['USA-NY'] }, at('USA', 'NY'), true],
    ['does not serve an unlisted subdivision', { only: ['USA-NY'] }, at('USA', 'CA'), false],
    [
      'does not serve an unknown subdivision when only some are listed',
      { only: ['USA-NY'] },
      at('USA'),
      false,
    ],
    ['does not serve an excluded country', { except: ['CUB'] }, at('CUB', '03'), false],
    [
      'does not serve an excluded subdivision',
      { only: ['USA'], except: ['USA-NY'] },
      at('USA', 'NY'),
      false,
    ],
    [
      'serves the other subdivisions of a country',
      { only: ['USA'], except: ['USA-NY'] },
      at('USA', 'CA'),
      true,
    ],
    [
      'does not serve an unknown subdivision when one is excluded',
      { except: ['USA-NY'] },
      at('USA'),
      false,
    ],
    ['serves a country without excluded subdivisions', { except: ['USA-NY'] }, at('DEU'), true],
    [
      'serves a subdivision of the same name in another country',
      { except: ['USA-NY'] },
      at('DEU', 'NY'),
      true,
    ],
    ['serves nowhere with an empty list', { only: [] }, at('USA'), false],
  ])('%s', (_, places, place, expected) => {
    expect(isServed(places, place)).toBe(expected);
  });
});

describe('refusedPlace', () => {
  const rules = { prohibited: ['CUB', 'UKR-43'], methods: { SEPA: ['DEU'], PIX: [] } };

  it('finds the first prohibited place, whatever the payment method', () => {
    expect(refusedPlace(rules, [at('DEU'), at('CUB'), at('UKR', '43')])).toEqual(at('CUB'));
    expect(refusedPlace(rules, [at('CUB')], 'SEPA')).toEqual(at('CUB'));
    expect(refusedPlace(rules, [at('UKR', '30')])).toBeUndefined();
    expect(refusedPlace(rules, [])).toBeUndefined();
  });

  it('takes an unknown part of a country for a prohibited one', () => {
    expect(refusedPlace(rules, [at('UKR')])).toEqual(at('UKR'));
  });

  it('finds a place in which the payment method cannot be used', () => {
    expect(refusedPlace(rules, [at('FRA')], 'SEPA')).toEqual(at('FRA'));
    expect(refusedPlace(rules, [at('DEU')], 'SEPA')).toBeUndefined();
    expect(refusedPlace(rules, [at('FRA')], 'CREDIT_CARD')).toBeUndefined();
    expect(refusedPlace(rules, [at('BRA')], 'PIX')).toEqual(at('BRA'));
  });

  it('refuses embargoed places by default', () => {
    for (const place of [at('CUB'), at('IRN'), at('PRK'), at('UKR', '43')]) {
      expect(refusedPlace(DEFAULT_COUNTRY_RULES, [place])).toEqual(place);
    }
  });
});

describe('placeName', () => {
  it('names a subdivision, or the country with its parts', () => {
    expect(placeName(at('DEU', 'BY'))).toBe('DEU-BY');
    expect(placeName(at('DEU'))).toBe('DEU or a part of it');
  });
});
