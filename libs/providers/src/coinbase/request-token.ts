import { randomBytes, sign } from 'node:crypto';
import type { SigningKey } from './signing-key.js';

export interface AuthorisedRequest {
  method: 'GET' | 'POST';
  url: URL;
  /** Id of the API key. */
  keyId: string;
  now: Date;
}

const LIFETIME_SECONDS = 120;
const NONCE_BYTES = 16;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function signature(text: string, { algorithm, key }: SigningKey): string {
  const data = Buffer.from(text);
  const bytes =
    algorithm === 'EdDSA'
      ? sign(null, data, key)
      : sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
  return bytes.toString('base64url');
}

/** Signs the JWT that authorises one request: its method, host and path, without the query. */
export function requestToken(
  signingKey: SigningKey,
  { method, url, keyId, now }: AuthorisedRequest,
): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const header = {
    alg: signingKey.algorithm,
    kid: keyId,
    typ: 'JWT',
    nonce: randomBytes(NONCE_BYTES).toString('hex'),
  };
  const claims = {
    sub: keyId,
    iss: 'cdp',
    uris: [`${method} ${url.host}${url.pathname}`],
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${signature(text, signingKey)}`;
}
