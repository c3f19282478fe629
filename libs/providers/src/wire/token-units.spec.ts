import { describe, expect, it } from '@jest/globals';
import { JsonObject } from './json-object.js';
import { exactUnits, wholeUnits } from './token-units.js';

const answer = JsonObject.of({ exact: '1.123456789012345678', more: '0.0318000000000000019' });

describe('an amount of a token', () => {
  it('is read to its last digit', () => {
    expect(exactUnits(answer, 'exact', 18)).toBe(1_123_456_789_012_345_678n);
    expect(wholeUnits(answer, 'exact', 18)).toBe(1_123_456_789_012_345_678n);
  });

  it('has no more decimals than the token, or loses them where the provider computes with more', () => {
    expect(() => exactUnits(answer, 'more', 18)).toThrow('more');
    expect(wholeUnits(answer, 'more', 18)).toBe(31_800_000_000_000_001n);
    expect(wholeUnits(answer, 'exact', 0)).toBe(1n);
  });
});
