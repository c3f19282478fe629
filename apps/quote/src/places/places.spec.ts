import { describe, expect, it } from '@jest/globals';
import { PAYMENT_METHODS } from '@bascule/contracts';
import { COUNTRY_RULES } from './country-rules.js';
import { customerAddresses, customerPlaces } from './places.js';
import { offeredMethods } from '../discovery/offered-methods.js';
import { isServed, isSoldIn, placeIssue } from './places.js';
import { ramp } from '../testing/routing-world.fixture.js';

const at = (alpha3_country_code: string, state_code = '') => ({ alpha3_country_code, state_code });
const aRamp = ramp('swift', 'eur', 'alphanet:0x');

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

describe('isSoldIn', () => {
  it('applies every restriction of the provider', () => {
    const places = [{ only: ['DEU', 'FRA'] }, { except: ['FRA'] }];
    expect(isSoldIn({ ...aRamp, places }, [at('DEU')])).toBe(true);
    expect(isSoldIn({ ...aRamp, places }, [at('FRA')])).toBe(false);
    expect(isSoldIn({ ...aRamp, places }, [at('GBR')])).toBe(false);
  });

  it("applies country rules on top of the provider's restrictions", () => {
    expect(isSoldIn(aRamp, [at('DEU')])).toBe(true);
    expect(isSoldIn(aRamp, [at('BRA')])).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'PIX' }, [at('BRA')])).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('BRA')])).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('PRK')])).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR', '43')])).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR', '30')])).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR')])).toBe(false);
    expect(isSoldIn(aRamp, [])).toBe(true);
    expect(isSoldIn(aRamp, [at('DEU'), at('FRA')])).toBe(true);
    expect(isSoldIn(aRamp, [at('DEU'), at('CUB')])).toBe(false);
  });

  it('contains well-formed places and known methods only, each place once', () => {
    for (const { methods = [], places } of COUNTRY_RULES) {
      const named = [...(places.only ?? []), ...(places.except ?? [])];
      expect(named.filter((place) => !/^[A-Z]{3}(-[A-Z0-9]{2})?$/.test(place))).toEqual([]);
      expect(new Set(named).size).toBe(named.length);
      expect(methods.filter((method) => !PAYMENT_METHODS.includes(method))).toEqual([]);
    }
  });
});

describe('placeIssue', () => {
  it('names the provider and the place', () => {
    const cautious = { ...aRamp, places: [{ except: ['DEU-BY'] }] };
    expect(placeIssue(cautious, [at('FRA'), at('DEU', 'BY')])).toEqual({
      kind: 'geolocation',
      message: 'swift does not sell for eur by SEPA in DEU-BY.',
    });
    expect(placeIssue(cautious, [at('DEU')])?.message).toMatch(/in DEU or a part of it\.$/);
    expect(placeIssue(cautious, [at('DEU', 'BE')])).toBeNull();
    expect(placeIssue(cautious, [])).toBeNull();
  });
});

describe('offeredMethods', () => {
  it('lists each method of a provider once for any number of tokens', () => {
    const twice = [aRamp, { ...aRamp, token: 'betanet:0x' as const }];
    const card = { ...aRamp, method: 'CREDIT_CARD' as const };
    const other = ramp('thrift', 'eur', 'alphanet:0x');
    expect(offeredMethods([...twice, other, card])).toEqual({
      providers: { swift: ['CREDIT_CARD', 'SEPA'], thrift: ['SEPA'] },
    });
    expect(offeredMethods([])).toEqual({ providers: {} });
  });
});

describe('customerPlaces', () => {
  const located = { ...at('USA', 'CA'), default_currency: 'usd' };
  it.each([
    ['no information', undefined, [], []],
    ['an address', undefined, [located], [at('USA', 'CA')]],
    ['two addresses', undefined, [located, null, at('CUB')], [at('USA', 'CA'), at('CUB')]],
    ['a country', { alpha3_country_code: 'DEU' }, [null], [at('DEU')]],
    ['both when they agree', { alpha3_country_code: 'USA' }, [located], [at('USA', 'CA')]],
    [
      'both when they differ',
      { alpha3_country_code: 'DEU' },
      [located],
      [at('USA', 'CA'), at('DEU')],
    ],
  ])('derives places from %s', (_, said, places, expected) => {
    expect(customerPlaces(said, places)).toEqual(expected);
  });

  it('never allows more because of the claimed country', () => {
    const card = { ...aRamp, method: 'CREDIT_CARD' as const };
    const inCuba = customerPlaces({ alpha3_country_code: 'DEU' }, [at('DEU'), at('CUB')]);
    expect(isSoldIn(card, inCuba)).toBe(false);
  });
});

describe('customerAddresses', () => {
  it.each([
    ['publishable', '192.0.2.1', ['192.0.2.1', '192.0.2.9']],
    ['publishable', '192.0.2.9', ['192.0.2.9']],
    ['publishable', undefined, ['192.0.2.9']],
    ['secret', '192.0.2.1', ['192.0.2.1']],
    ['secret', undefined, []],
  ] as const)('uses for a %s key with address %s: %s', (kind, named, expected) => {
    expect(customerAddresses(named, { kind, clientIp: '192.0.2.9' })).toEqual(expected);
  });
});
