import { describe, expect, it } from '@jest/globals';
import { cacheabilityOf } from './cacheability.js';

describe('cacheabilityOf', () => {
  it('lets nothing be kept that its service does not want kept', () => {
    expect(cacheabilityOf({})).toEqual({ 'cache-control': 'no-store' });
    expect(cacheabilityOf({ vary: 'Accept' })).toEqual({ 'cache-control': 'no-store' });
    expect(cacheabilityOf({ 'cache-control': 'no-store' })).toEqual({});
  });

  it.each([
    [undefined, 'Authorization, Origin'],
    ['', 'Authorization, Origin'],
    ['Accept-Encoding', 'Accept-Encoding, Authorization, Origin'],
    ['Accept-Encoding, origin', 'Accept-Encoding, origin, Authorization'],
    [['Accept', 'AUTHORIZATION'], 'Accept, AUTHORIZATION, Origin'],
    ['*', '*'],
  ])('keeps what is kept apart by key and origin, too: %j', (vary, expected) => {
    expect(cacheabilityOf({ 'cache-control': 'public, max-age=30', vary })).toEqual({
      vary: expected,
    });
  });
});
