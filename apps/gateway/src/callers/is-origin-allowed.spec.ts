import { describe, expect, it } from '@jest/globals';
import { isOriginAllowed } from './is-origin-allowed.js';

describe('isOriginAllowed', () => {
  it.each<[string | undefined, string[] | null, boolean]>([
    ['https://shop.example', null, true],
    ['https://shop.example', ['https://shop.example'], true],
    ['HTTPS://Shop.Example', ['https://shop.example'], true],
    ['https://evil.example', ['https://shop.example'], false],
    ['https://shop.example', [], false],
    ['null', ['https://shop.example'], false],
    [undefined, ['https://shop.example'], true],
  ])(
    'returns the expected result for origin %p and allowed origins %p: %p',
    (origin, allowed, expected) => {
      expect(isOriginAllowed(origin, allowed)).toBe(expected);
    },
  );
});
