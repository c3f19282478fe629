import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { UnreadableAnswer } from '../wire/json-object.js';

/** Private key of a CDP API key. */
export interface SigningKey {
  algorithm: 'EdDSA' | 'ES256';
  key: KeyObject;
}

const SEED_BYTES = 32;

/** Reads 32 bytes of the seed and 32 of the public key, which must belong together. */
function ed25519Key(secret: string): KeyObject | undefined {
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 2 * SEED_BYTES) return undefined;
  const [d, x] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)];
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: d.toString('base64url'),
    x: x.toString('base64url'),
  };
  const key = createPrivateKey({ format: 'jwk', key: jwk });
  return createPublicKey(key).export({ format: 'jwk' }).x === jwk.x ? key : undefined;
}

function ecKey(pem: string): KeyObject | undefined {
  const key = createPrivateKey(pem);
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
}

/**
 * Reads the secret of a CDP API key: 64 bytes of Ed25519 in base64, or a P-256 key in PEM.
 * @throws UnreadableAnswer without the secret in the message
 */
export function readSigningKey(secret: string): SigningKey {
  const isPem = secret.includes('-----BEGIN');
  let key: KeyObject | undefined;
  try {
    key = isPem ? ecKey(secret) : ed25519Key(secret);
  } catch {
    key = undefined;
  }
  if (key) return { algorithm: isPem ? 'ES256' : 'EdDSA', key };
  throw new UnreadableAnswer(
    'api_secret',
    'a base64 Ed25519 key of 64 bytes or a P-256 key in PEM',
  );
}
