import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sharesOf } from './quota-shares.js';

describe('sharesOf', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [2, 1, 1],
    [3, 2, 1],
    [10, 9, 5],
    [100, 90, 10],
    [10_000, 9_000, 1_000],
  ])('gives of %s publishable keys %s and a visitor %s', (quota, publishable, visitor) => {
    expect(sharesOf(quota)).toEqual({ publishable, visitor });
  });

  it('leaves room for secret keys and for a second visitor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 1_000_000 }), (quota) => {
        const { publishable, visitor } = sharesOf(quota);
        expect(publishable).toBeLessThan(quota);
        expect(visitor).toBeLessThan(publishable);
        expect(visitor).toBeGreaterThan(0);
      }),
    );
  });
});
