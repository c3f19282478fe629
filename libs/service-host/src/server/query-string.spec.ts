import { describe, expect, it } from '@jest/globals';
import { parseQueryString } from './query-string.js';

describe('parseQueryString', () => {
  it.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['name[]=a&name[]=b', { name: ['a', 'b'] }],
    ['name%5B%5D=a%2Cb', { name: ['a,b'] }],
    ['name[]=a', { name: ['a'] }],
    ['id=1&id=2&id=3', { id: ['1', '2', '3'] }],
    ['id=1&id[]=2&id=3', { id: ['1', '2', '3'] }],
    ['q=a+b%20c', { q: 'a b c' }],
  ])('reads %s', (text, expected) => {
    expect(parseQueryString(text)).toEqual(expected);
  });

  it('cannot reach a prototype', () => {
    const parsed = parseQueryString('__proto__=x&constructor=y');
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed)).toContain('__proto__');
  });
});
