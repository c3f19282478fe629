import { createPrivateKey, createPublicKey } from 'node:crypto';
import { makeValidator, reloadable, sensitive } from '@bascule/process';
import { isPublicKey } from './public-keys.js';
import type { PublicKey } from './public-keys.js';

/** An Ed25519 key pair as a JWK. */
export interface PrivateKey extends PublicKey {
  d: string;
}

export function parsePrivateKey(text: string): PrivateKey {
  const jwk: unknown = JSON.parse(text);
  if (!isPublicKey(jwk) || !('d' in jwk) || typeof jwk.d !== 'string') {
    throw new Error('expected a private Ed25519 JWK with a kid');
  }
  const { kty, crv, kid, x, d } = jwk;
  const publicHalf = createPublicKey(createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' }));
  if (publicHalf.export({ format: 'jwk' }).x !== x) throw new Error('expected x to belong to d');
  return { kty, crv, kid, x, d };
}

/** A variable of the environment that holds a private signing key. */
export const privateKey = (desc: string) =>
  reloadable(sensitive(makeValidator<PrivateKey>(parsePrivateKey)({ desc })), ({ kid }) => [kid]);
