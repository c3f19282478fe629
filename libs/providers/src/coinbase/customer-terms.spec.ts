import { describe, expect, it } from '@jest/globals';
import { parsePlace, placeOf } from './customer-place.js';
import { withCents } from './money.js';
import { partnerReference, paymentIdOf } from './partner-reference.js';
import { isPublicAddress } from './public-address.js';
import { snakeCased } from './spelling.js';

describe('terms of a customer at Coinbase', () => {
  it('name the country by two letters, and the state only in the USA', () => {
    expect(parsePlace('USA-CA')).toEqual({ place: 'USA-CA', country: 'US', subdivision: 'CA' });
    expect(placeOf({ alpha3_country_code: 'DEU', state_code: 'BE' })).toEqual({
      place: 'DEU',
      country: 'DE',
    });
    expect(parsePlace('XKX')).toEqual({ place: 'XKX', country: 'XK' });
    for (const place of ['USA', 'ZZZ', 'US-CA', 'deu', '']) {
      expect(parsePlace(place)).toBeUndefined();
    }
  });

  it.each(['8.8.8.8', '2001:4860:4860::8888'])('hold the public address %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    'localhost',
    '',
  ])('leave out the address "%s"', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ['100', '100.00'],
    ['99.5', '99.50'],
    ['0.999', '0.99'],
  ])('write the amount %s with cents', (amount, text) => {
    expect(withCents(amount)).toBe(text);
  });

  it('have a reference that belongs to one mode', () => {
    expect(paymentIdOf(partnerReference('p1', true), true)).toBe('p1');
    expect(paymentIdOf(partnerReference('p1', false), false)).toBe('p1');
    expect(paymentIdOf(partnerReference('p1', true), false)).toBeNull();
    expect(paymentIdOf(partnerReference('p1', false), true)).toBeNull();
  });
});

describe('the spelling of an answer', () => {
  it('becomes snake case, without empty texts', () => {
    expect(snakeCased({ nextPageKey: '', txHash: '0x1', list: [{ chainId: 1 }] })).toEqual({
      tx_hash: '0x1',
      list: [{ chain_id: 1 }],
    });
  });

  it('is refused in an answer that is too deep', () => {
    const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1);
    expect(() => snakeCased(deep)).toThrow('answer is not a shallow object');
  });
});
