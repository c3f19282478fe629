import { createHash, createPrivateKey, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesToHex, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { canonicalSignature } from './canonical-signature.js';
import { addressOfKey } from './public-key.js';
import { createPublicKey } from 'node:crypto';

const { n } = secp256k1.CURVE;
const CASES = 500;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const privateKeys = bytes(32).filter((key) => secp256k1.utils.isValidPrivateKey(key));

/** Node's key of the same secret: another implementation of curve and encodings. */
const nodeKey = (secret: Uint8Array) => {
  const point = secp256k1.getPublicKey(secret, false);
  const text = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  return createPrivateKey({
    key: {
      ...{ kty: 'EC', crv: 'secp256k1', d: text(secret) },
      ...{ x: text(point.subarray(1, 33)), y: text(point.subarray(33)) },
    },
    format: 'jwk',
  });
};

describe('a signature of a service', () => {
  it.each([
    ['der', 'der'],
    ['raw', 'ieee-p1363'],
  ] as const)('in %s form is canonical and recovers to the address', async (form, dsaEncoding) => {
    let highs = 0;
    await fc.assert(
      fc.asyncProperty(privateKeys, bytes(20), async (secret, message) => {
        const key = nodeKey(secret);
        const { address } = privateKeyToAccount(bytesToHex(secret));
        const digest = bytesToHex(createHash('sha256').update(message).digest());
        const encoded = sign('sha256', message, { key, dsaEncoding });
        const { Signature } = secp256k1;
        const hex = encoded.toString('hex');
        const found = form === 'der' ? Signature.fromDER(hex) : Signature.fromCompact(hex);
        if (found.hasHighS()) highs += 1;

        const signature = await canonicalSignature({ form, bytes: encoded }, digest, address);

        expect(await recoverAddress({ hash: digest, signature })).toBe(address);
        expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(n / 2n);
        expect(['1b', '1c']).toContain(signature.slice(130));
        expect(addressOfKey(createPublicKey(key))).toBe(address);
      }),
      { numRuns: CASES },
    );
    // About half of all: the property means little without them.
    expect(highs).toBeGreaterThan(CASES / 4);
    expect(highs).toBeLessThan((CASES * 3) / 4);
  });

  it.each([
    ['of another key', 1],
    ['of another digest', 0],
  ])('%s is refused', async (_, otherKey) => {
    await fc.assert(
      fc.asyncProperty(
        privateKeys,
        privateKeys,
        bytes(32),
        bytes(32),
        async (one, two, hash, other) => {
          fc.pre(bytesToHex(one) !== bytesToHex(two) && bytesToHex(hash) !== bytesToHex(other));
          const { address } = privateKeyToAccount(bytesToHex(one));
          const signed = secp256k1.sign(otherKey ? hash : other, otherKey ? two : one);
          const encoded = { form: 'raw', bytes: signed.toCompactRawBytes() } as const;
          await expect(canonicalSignature(encoded, bytesToHex(hash), address)).rejects.toThrow(
            'not of the key and digest',
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['raw', Buffer.alloc(0)],
    ['raw', Buffer.alloc(63, 1)],
    ['raw', Buffer.alloc(65, 1)],
    ['raw', Buffer.alloc(64)],
    ['raw', Buffer.alloc(64, 0xff)],
    ['der', Buffer.alloc(70)],
    ['der', Buffer.from('3006020101020101ff', 'hex')],
    ['der', Buffer.from('3006020100020101', 'hex')],
    ['der', Buffer.from('3006020181020101', 'hex')],
  ] as const)('in %s form is refused when malformed: %s', async (form, malformed) => {
    const { address } = privateKeyToAccount(`0x${'07'.repeat(32)}`);
    const encoded = { form, bytes: malformed };
    await expect(canonicalSignature(encoded, `0x${'01'.repeat(32)}`, address)).rejects.toThrow(
      'malformed signature',
    );
  });
});
