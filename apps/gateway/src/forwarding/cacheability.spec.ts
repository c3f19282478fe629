import { describe, expect, it } from '@jest/globals';
import { cacheabilityOf } from './cacheability.js';

describe('cacheabilityOf', () => {
  it('forbids caching unless the service allows it', () => {
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
  ])('varies cacheable responses by key and origin: %j', (vary, expected) => {
    expect(cacheabilityOf({ 'cache-control': 'public, max-age=30', vary })).toEqual({
      vary: expected,
    });
  });
});
