import { describe, expect, it } from '@jest/globals';
import { DEFAULT_COUNTRY_RULES as rules } from '@bascule/contracts';
import { customerAddresses, customerPlaces } from './places.js';
import { offeredMethods } from '../discovery/offered-methods.js';
import { isSoldIn, placeIssue } from './places.js';
import { ramp } from '../testing/routing-world.fixture.js';

const at = (alpha3_country_code: string, state_code = '') => ({ alpha3_country_code, state_code });
const aRamp = ramp('swift', 'eur', 'alphanet:0x');

describe('isSoldIn', () => {
  it('applies every restriction of the provider', () => {
    const places = [{ only: ['DEU', 'FRA'] }, { except: ['FRA'] }];
    expect(isSoldIn({ ...aRamp, places }, [at('DEU')], rules)).toBe(true);
    expect(isSoldIn({ ...aRamp, places }, [at('FRA')], rules)).toBe(false);
    expect(isSoldIn({ ...aRamp, places }, [at('GBR')], rules)).toBe(false);
  });

  it("applies country rules on top of the provider's restrictions", () => {
    expect(isSoldIn(aRamp, [at('DEU')], rules)).toBe(true);
    expect(isSoldIn(aRamp, [at('BRA')], rules)).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'PIX' }, [at('BRA')], rules)).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('BRA')], rules)).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('PRK')], rules)).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR', '43')], rules)).toBe(false);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR', '30')], rules)).toBe(true);
    expect(isSoldIn({ ...aRamp, method: 'CREDIT_CARD' }, [at('UKR')], rules)).toBe(false);
    expect(isSoldIn(aRamp, [], rules)).toBe(true);
    expect(isSoldIn(aRamp, [at('DEU'), at('FRA')], rules)).toBe(true);
    expect(isSoldIn(aRamp, [at('DEU'), at('CUB')], rules)).toBe(false);
  });
});

describe('placeIssue', () => {
  it('names the provider and the place', () => {
    const cautious = { ...aRamp, places: [{ except: ['DEU-BY'] }] };
    expect(placeIssue(cautious, [at('FRA'), at('DEU', 'BY')], rules)).toEqual({
      kind: 'geolocation',
      message: 'swift does not sell for eur by SEPA in DEU-BY.',
    });
    expect(placeIssue(cautious, [at('DEU')], rules)?.message).toMatch(/in DEU or a part of it\.$/);
    expect(placeIssue(cautious, [at('DEU', 'BE')], rules)).toBeNull();
    expect(placeIssue(cautious, [], rules)).toBeNull();
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
    expect(isSoldIn(card, inCuba, rules)).toBe(false);
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
