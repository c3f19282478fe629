import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompactEncrypt } from 'jose';
import { SealedTokenError, SealedTokens } from './index.js';
import { MAX_TOKEN_LENGTH } from './sealed-tokens.js';

const aKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const key = aKey('first');
const tokens = new SealedTokens([key]);
const later = new Date(Date.now() + 60_000);

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    return error instanceof SealedTokenError ? error.code : 'another error';
  }
  return 'none';
}

async function foreignToken(plaintext: Uint8Array): Promise<string> {
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'quote', kid: key.kid })
    .encrypt(Buffer.from(key.k, 'base64url'));
}

describe('SealedTokens', () => {
  it('return the sealed value, for any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (payload) => {
        const token = await tokens.seal('quote', { payload }, later);
        const json: unknown = JSON.parse(JSON.stringify({ payload }));
        expect(await tokens.open('quote', token)).toEqual(json);
      }),
    );
  });

  it('refuse a token with any character changed', async () => {
    const token = await tokens.seal('quote', { org_id: 'one' }, later);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '.'), async (at, by) => {
        fc.pre(token[at] !== by);
        const altered = token.slice(0, at) + by + token.slice(at + 1);
        // The last character of a base64url part can carry bits that decoding ignores.
        const isSameBytes = altered
          .split('.')
          .every((part, index) =>
            Buffer.from(part, 'base64url').equals(
              Buffer.from(token.split('.')[index] ?? '', 'base64url'),
            ),
          );
        fc.pre(!isSameBytes);
        expect(await codeOf(tokens.open('quote', altered))).toBe('invalid');
      }),
    );
  });

  it.each(['', 'a.b.c', 'x'.repeat(MAX_TOKEN_LENGTH + 1)])('refuse garbage', async (garbage) => {
    expect(await codeOf(tokens.open('quote', garbage))).toBe('invalid');
  });

  it('do not accept one kind as another', async () => {
    const token = await tokens.seal('withdrawal', {}, later);
    expect(await codeOf(tokens.open('quote', token))).toBe('invalid');
  });

  it('expire', async () => {
    const token = await tokens.seal('quote', 1, later);
    expect(await tokens.open('quote', token, new Date(later.getTime() - 1))).toBe(1);
    expect(await codeOf(tokens.open('quote', token, later))).toBe('expired');
  });

  it('survive a key rotation only while the old key is listed', async () => {
    const token = await tokens.seal('quote', 'state', later);
    const next = aKey('second');
    expect(await new SealedTokens([next, key]).open('quote', token)).toBe('state');
    expect(await codeOf(new SealedTokens([next]).open('quote', token))).toBe('invalid');
    const newest = await new SealedTokens([next, key]).seal('quote', 'state', later);
    expect(await codeOf(tokens.open('quote', newest))).toBe('invalid');
  });

  it('refuse a correct kid with a wrong key', async () => {
    const token = await new SealedTokens([aKey(key.kid)]).seal('quote', 1, later);
    expect(await codeOf(tokens.open('quote', token))).toBe('invalid');
  });

  it('hide their content', async () => {
    const token = await tokens.seal('quote', { secret: 'plain-text' }, later);
    const raw = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(raw.join('')).not.toContain('plain-text');
  });

  it('refuse to exceed 64 KiB, and compress repeated content', async () => {
    const noise = randomBytes(MAX_TOKEN_LENGTH).toString('base64');
    expect(await codeOf(tokens.seal('quote', noise, later))).toBe('too_large');
    const repeated = await tokens.seal('quote', 'a'.repeat(500_000), later);
    expect(repeated.length).toBeLessThan(2_000);
  });

  it('do not inflate beyond a bound', async () => {
    const bomb = await foreignToken(deflateRawSync(Buffer.alloc(30_000_000)));
    expect(bomb.length).toBeLessThan(MAX_TOKEN_LENGTH);
    expect(await codeOf(tokens.open('quote', bomb))).toBe('invalid');
  });
});
