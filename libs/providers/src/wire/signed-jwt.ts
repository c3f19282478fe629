import { createHmac, timingSafeEqual } from 'node:crypto';
import { JsonObject, parseJson, told } from './json-object.js';

/** A JWT by HMAC-SHA256 whose signature is not checked yet. */
interface SignedJwt {
  isSignedBy(secret: string): boolean;
  /** @throws UnreadableAnswer */
  claims(): JsonObject;
}

const PART = '[A-Za-z0-9_-]+';
const COMPACT = new RegExp(`^(${PART})\\.(${PART})\\.(${PART})$`);
const DIGEST_BYTES = 32;

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');

/** Reads a compact JWT; undefined for another text, and for one that names another algorithm than HS256. */
export function parseJwt(text: string): SignedJwt | undefined {
  const [, header = '', payload = '', signature = ''] = COMPACT.exec(text) ?? [];
  const isHs256 = told(() =>
    JsonObject.of(parseJson(decoded(header), 'header')).is('alg', 'HS256'),
  );
  if (isHs256 !== true) return undefined;
  const given = Buffer.from(signature, 'base64url');
  return {
    isSignedBy: (secret) =>
      given.length === DIGEST_BYTES &&
      timingSafeEqual(given, createHmac('sha256', secret).update(`${header}.${payload}`).digest()),
    claims: () => JsonObject.of(parseJson(decoded(payload), 'claims'), 'claims'),
  };
}
