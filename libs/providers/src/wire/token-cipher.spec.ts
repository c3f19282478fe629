import { describe, expect, it } from '@jest/globals';
import { TokenCipher } from './token-cipher.js';

const cipher = new TokenCipher('transak', 'api secret');

describe('an access token at rest', () => {
  it('is encrypted, each time in another way', () => {
    const [one, other] = [cipher.seal('token'), cipher.seal('token')];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('token');
    expect([cipher.open(one), cipher.open(other)]).toEqual(['token', 'token']);
  });

  it.each([
    ['of another provider', new TokenCipher('other', 'api secret').seal('token')],
    ['of another API secret', new TokenCipher('transak', 'another').seal('token')],
    ['that was altered', cipher.seal('token').slice(0, -4)],
    ['without a tag', 'AAAAAAAAAAAAAAAA.AAAA'],
    ['that is empty', ''],
  ])('is not read from a ciphertext %s', (_what, sealed) => {
    expect(cipher.open(sealed)).toBeUndefined();
  });
});
