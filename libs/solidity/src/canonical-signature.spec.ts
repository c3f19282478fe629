import { describe, expect, it } from '@jest/globals';
import { canonicalSignature } from './canonical-signature.js';

const rs = `0x${'ab'.repeat(64)}` as const;

describe('a signature', () => {
  it.each([
    ['00', '1b'],
    ['01', '1c'],
    ['1b', '1b'],
    ['1c', '1c'],
  ])('with the recovery id %s goes to the chain with %s', (given, expected) => {
    expect(canonicalSignature(`${rs}${given}`)).toBe(`${rs}${expected}`);
  });

  it('is unchanged when a contract made it', () => {
    expect(canonicalSignature('0x00')).toBe('0x00');
    expect(canonicalSignature(`${rs}0000`)).toBe(`${rs}0000`);
  });
});
