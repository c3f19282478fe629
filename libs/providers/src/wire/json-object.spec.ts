import { describe, expect, it } from '@jest/globals';
import { JsonObject, readEach } from './json-object.js';

const decimalOf = (value: unknown) => JsonObject.of({ value }).decimal('value');

describe('a decimal of a provider', () => {
  it.each([
    ['0.123456789012345678', '0.123456789012345678'],
    ['1e-7', '0.0000001'],
    ['4.44e-16', '0.000000000000000444'],
    ['1.25e2', '125'],
    ['1.255e2', '125.5'],
    ['1E+3', '1000'],
    ['5e0', '5'],
  ])('%s is read as %s', (given, expected) => {
    expect(decimalOf(given)).toBe(expected);
  });

  it.each(['-1', '1e-31', '1e999', '01', 'NaN', '', '1,5', ' 1', 1.5, null])(
    '%p is not one',
    (given) => {
      expect(() => decimalOf(given)).toThrow('not');
    },
  );
});

describe('a list of a provider', () => {
  const codes = (list: unknown) => readEach(list, 'list', (item) => item.string('code'));

  it('keeps its readable entries', () => {
    expect(codes([null, { code: 'a' }, 'text', { code: 7 }, { code: 'b' }])).toEqual(['a', 'b']);
    expect(codes([])).toEqual([]);
  });

  it.each([[[null]], [{}], [null]])('%p is unreadable', (list) => {
    expect(() => codes(list)).toThrow('list');
  });
});
