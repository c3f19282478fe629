import type { KeyObject } from 'node:crypto';
import type { CallbackHeaders } from '../port/onramp-provider.js';
import { verifyTimestampedSignature } from '../wire/timestamped-signature.js';

export interface SignedCallback {
  headers: CallbackHeaders;
  rawBody: Buffer;
  now: Date;
}

const SIGNATURE_HEADER = 'x-hook0-signature';
const TOLERANCE_SECONDS = 300;

const partOf = (header: string, name: string): string | undefined =>
  header
    .split(',')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Names and values of the signed headers, as a prefix of the body; undefined where one is missing. */
function signedHeaders(names: string, headers: CallbackHeaders): string | undefined {
  const values = names.split(' ').map((name) => headers[name.toLowerCase()]);
  return values.every((value) => typeof value === 'string')
    ? `${names}.${values.join('.')}.`
    : undefined;
}

/**
 * Verifies `X-Hook0-Signature: t=,v0=,h=,v1=`, at most five minutes old. `v0` signs `t.body` and counts when present;
 * `v1` signs `t.h.values of the headers in h.body`.
 */
export function isSignedCallback(
  key: KeyObject,
  { headers, rawBody, now }: SignedCallback,
): boolean {
  const header = headers[SIGNATURE_HEADER];
  if (typeof header !== 'string') return false;
  const terms = { header, now, toleranceSeconds: TOLERANCE_SECONDS };
  if (partOf(header, 'v0') !== undefined) {
    return verifyTimestampedSignature(key, { ...terms, scheme: 'v0', rawBody });
  }
  const prefix = signedHeaders(partOf(header, 'h') ?? '', headers);
  if (prefix === undefined) return false;
  const signed = Buffer.concat([Buffer.from(prefix), rawBody]);
  return verifyTimestampedSignature(key, { ...terms, scheme: 'v1', rawBody: signed });
}
