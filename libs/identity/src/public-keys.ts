import { makeValidator, reloadable, type ReloadableMark } from '@bascule/process';

/** The public half of an Ed25519 key as a JWK. */
export interface PublicKey {
  kty: 'OKP';
  crv: 'Ed25519';
  kid: string;
  x: string;
}

export interface PublicKeys {
  keys: PublicKey[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const isPublicKey = (value: unknown): value is PublicKey =>
  isRecord(value) &&
  value.kty === 'OKP' &&
  value.crv === 'Ed25519' &&
  typeof value.kid === 'string' &&
  value.kid !== '' &&
  typeof value.x === 'string' &&
  Buffer.from(value.x, 'base64url').length === 32;

/** Reads a JWKS of Ed25519 keys; private parts do not belong in it and are refused. */
export function parsePublicKeys(text: string): PublicKeys {
  const jwks: unknown = JSON.parse(text);
  const keys: unknown = isRecord(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isPublicKey)) {
    throw new Error('expected a JWKS {"keys":[…]} of Ed25519 public keys, each with a kid');
  }
  if (keys.some((key) => 'd' in key)) throw new Error('contains a private key');
  return { keys: keys.map(({ kty, crv, kid, x }) => ({ kty, crv, kid, x })) };
}

/** A variable that holds a JWKS of public keys. */
export const publicKeys = (desc: string) =>
  reloadable(makeValidator<PublicKeys>(parsePublicKeys)({ desc }), ({ keys }) =>
    keys.map(({ kid }) => kid),
  ) satisfies ReloadableMark<PublicKeys>;
