import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestToken } from './request-token.js';
import { readSigningKey } from './signing-key.js';

const now = new Date('2026-11-21T12:00:00Z');
const iat = now.getTime() / 1_000;
const url = new URL('https://api.cdp.coinbase.com/platform/v2/onramp/sessions?page=1');

const read = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;

function ed25519Secret(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = [d, x].map((part) => Buffer.from(part, 'base64url'));
  return Buffer.concat(bytes).toString('base64');
}

const ecSecret = (namedCurve = 'P-256'): string =>
  generateKeyPairSync('ec', {
    namedCurve,
    privateKeyEncoding: { format: 'pem', type: 'sec1' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  }).privateKey;

describe('the token of a request', () => {
  it.each([
    ['EdDSA', null, ed25519Secret()],
    ['ES256', 'sha256', ecSecret()],
  ])('is signed with %s', (alg, hash, secret) => {
    const signingKey = readSigningKey(secret);
    const token = requestToken(signingKey, { method: 'POST', url, keyId: 'key-1', now });
    const [header, claims, signature] = token.split('.');
    expect(read(header)).toEqual({
      alg,
      kid: 'key-1',
      typ: 'JWT',
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(read(claims)).toEqual({
      sub: 'key-1',
      iss: 'cdp',
      uris: ['POST api.cdp.coinbase.com/platform/v2/onramp/sessions'],
      iat,
      nbf: iat,
      exp: iat + 120,
    });
    const isSigned = verify(
      hash,
      Buffer.from(`${String(header)}.${String(claims)}`),
      { key: createPublicKey(signingKey.key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature ?? '', 'base64url'),
    );
    expect(isSigned).toBe(true);
  });

  it('differs for each request', () => {
    const signingKey = readSigningKey(ed25519Secret());
    const tokens = [1, 2].map(() =>
      requestToken(signingKey, { method: 'GET', url, keyId: 'key-1', now }),
    );
    expect(new Set(tokens).size).toBe(2);
  });
});

describe('the secret of an API key', () => {
  const halves = [ed25519Secret(), ed25519Secret()].map((secret) => Buffer.from(secret, 'base64'));

  it.each([
    ['a word', 'secret'],
    ['half a key', halves[0]?.subarray(0, 32).toString('base64') ?? ''],
    [
      'the public key of another one',
      Buffer.concat([
        halves[0]?.subarray(0, 32) ?? Buffer.of(),
        halves[1]?.subarray(32) ?? Buffer.of(),
      ]).toString('base64'),
    ],
    ['another curve', ecSecret('P-384')],
    ['a broken PEM', '-----BEGIN EC PRIVATE KEY-----\nnone\n-----END EC PRIVATE KEY-----'],
  ])('is refused for %s, and not repeated', (_what, secret) => {
    const expected = /^api_secret is not a base64 Ed25519 key of 64 bytes or a P-256 key in PEM$/;
    expect(() => readSigningKey(secret)).toThrow(expected);
  });
});
