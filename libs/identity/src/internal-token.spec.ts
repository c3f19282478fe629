import { describe, expect, it } from '@jest/globals';
import { SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { Caller } from './caller.js';
import { InternalTokenIssuer } from './internal-token-issuer.js';
import { InternalTokenVerifier } from './internal-token-verifier.js';
import { parsePrivateKey } from './private-key.js';
import type { PrivateKey } from './private-key.js';
import { parsePublicKeys } from './public-keys.js';

async function aKey(kid: string): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return parsePrivateKey(JSON.stringify({ ...(await exportJWK(privateKey)), kid }));
}
const publicKeysOf = (...keys: PrivateKey[]) =>
  parsePublicKeys(
    JSON.stringify({ keys: keys.map(({ kty, crv, kid, x }) => ({ kty, crv, kid, x })) }),
  );

const caller: Caller = {
  orgId: 'org',
  keyId: 'key',
  kind: 'secret',
  permissions: ['quotes', 'payments:read'],
};
const key = await aKey('2026-01');
const issuer = new InternalTokenIssuer(key);
const verifier = new InternalTokenVerifier(publicKeysOf(key));

describe('internal tokens', () => {
  it.each<Caller>([
    caller,
    { ...caller, methods: ['SWIFT'] },
    { ...caller, mode: 'test' },
    { orgId: 'org', keyId: '', kind: 'funding', permissions: [], paymentId: 'payment' },
    { orgId: '', keyId: '', kind: 'provider', permissions: [], provider: 'swiftramp' },
  ])('carry the caller', async (each) => {
    expect(await verifier.verify(await issuer.issue(each))).toEqual(each);
  });

  it('are reused for 20 s by the same caller only', async () => {
    let now = Date.now();
    const timed = new InternalTokenIssuer(key, () => now);
    const first = await timed.issue(caller);
    now += 19_000;
    expect(await timed.issue({ ...caller })).toBe(first);
    expect(await timed.issue({ ...caller, permissions: ['quotes'] })).not.toBe(first);
    now += 1_001;
    expect(await timed.issue(caller)).not.toBe(first);
  });

  it('carry only the opt-in methods that this version knows', async () => {
    const token = await issuer.issue({ ...caller, methods: ['SWIFT', 'TELEX' as 'SWIFT'] });
    expect((await verifier.verify(token)).methods).toEqual(['SWIFT']);
    expect(await issuer.issue({ ...caller, methods: ['SWIFT'] })).not.toBe(
      await issuer.issue(caller),
    );
  });

  it('live for 60 s plus 30 s of tolerance, verified before or not', async () => {
    let now = Date.now();
    const token = await new InternalTokenIssuer(key, () => now).issue(caller);
    const timed = new InternalTokenVerifier(publicKeysOf(key), () => now);
    now += 85_000;
    expect(await timed.verify(token)).toEqual(caller);
    now += 6_000;
    await expect(timed.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    const fresh = new InternalTokenVerifier(publicKeysOf(key), () => now);
    await expect(fresh.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('are accepted from both current keys and no other', async () => {
    const next = await aKey('2026-02');
    const both = new InternalTokenVerifier(publicKeysOf(key, next));
    expect(await both.verify(await issuer.issue(caller))).toEqual(caller);
    const rotated = await new InternalTokenIssuer(next).issue(caller);
    expect(await both.verify(rotated)).toEqual(caller);
    await expect(verifier.verify(rotated)).rejects.toMatchObject({ code: 'unauthenticated' });
    const impostor = await new InternalTokenIssuer(await aKey(key.kid)).issue(caller);
    await expect(both.verify(impostor)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    ['another audience', { aud: 'funding' }],
    ['another issuer', { iss: 'payment' }],
    ['no expiry', { exp: undefined }],
    ['an unknown kind', { kind: 'root' }],
    ['no organisation', { org_id: undefined }],
  ])('are refused with %s', async (_, change) => {
    const claims = {
      iss: 'gateway',
      aud: 'services',
      sub: 'key',
      exp: Math.floor(Date.now() / 1_000) + 60,
      org_id: 'org',
      kind: 'secret',
      permissions: [],
      ...change,
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
      .sign(await importJWK(key, 'EdDSA'));
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each(['', 'a.b.c', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`])(
    'are refused when they are %j',
    async (token) => {
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );
});

describe('keys in the environment', () => {
  it('refuse a private key where a public one belongs, and the other way round', () => {
    expect(() => parsePublicKeys(JSON.stringify({ keys: [key] }))).toThrow('private');
    expect(() => parsePrivateKey(JSON.stringify(publicKeysOf(key).keys[0]))).toThrow('private');
    expect(() => parsePublicKeys('{"keys":[]}')).toThrow('JWKS');
  });
});
