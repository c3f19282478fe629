import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretCipher } from './secret-cipher.js';

const aKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const key = aKey('first.2026');
const cipher = new SecretCipher([key]);

describe('SecretCipher', () => {
  it('decrypts its ciphertexts, and encrypts the same secret differently each time', () => {
    const sealed = cipher.seal('whsec_ü', 'webhook:1');
    expect(cipher.open(sealed, 'webhook:1')).toBe('whsec_ü');
    expect(sealed).not.toContain('whsec');
    expect(cipher.seal('whsec_ü', 'webhook:1')).not.toBe(sealed);
  });

  it('rejects another context and any altered byte', () => {
    const sealed = cipher.seal('secret', 'webhook:1');
    expect(() => cipher.open(sealed, 'webhook:2')).toThrow();
    const [kid, iv, body] = [
      sealed.split('.').slice(0, -2).join('.'),
      ...sealed.split('.').slice(-2),
    ];
    const flipped = Buffer.from(body ?? '', 'base64url').map((byte, n) =>
      n === 0 ? byte ^ 1 : byte,
    );
    expect(() =>
      cipher.open(`${kid}.${iv}.${Buffer.from(flipped).toString('base64url')}`, 'webhook:1'),
    ).toThrow();
  });

  it('decrypts after a rotation while the old key is kept', () => {
    const sealed = cipher.seal('secret', 'c');
    const next = aKey('second');
    expect(new SecretCipher([next, key]).open(sealed, 'c')).toBe('secret');
    expect(new SecretCipher([next, key]).seal('secret', 'c')).toMatch(/^second\./);
    expect(() => new SecretCipher([next]).open(sealed, 'c')).toThrow('not found');
  });
});
