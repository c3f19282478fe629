import { createHash } from 'node:crypto';
import type { Caller } from '@bascule/identity';

/** Request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** SHA-256 of API key, route and `Idempotency-Key`; for publishable keys of the body too. */
  identity: Buffer;
  /** SHA-256 of the body, hex. */
  bodyHash: string;
}

/** Parts of a request that decide whether it repeats another one. */
export interface RequestParts {
  /** Value of the header, as {@link isIdempotencyKey} accepts it. */
  key: string;
  /** Method and path. */
  route: string;
  bodyHash: string;
  caller: Pick<Caller, 'keyId' | 'kind'>;
}

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export const isIdempotencyKey = (value: string): boolean => KEY.test(value);

/** All visitors of a page share its publishable key, so that the body tells their requests apart. */
export function idempotentRequest({
  key,
  route,
  bodyHash,
  caller: { keyId, kind },
}: RequestParts): IdempotentRequest {
  const parts = [keyId, route, key, ...(kind === 'secret' ? [] : [bodyHash])];
  return {
    identity: createHash('sha256').update(JSON.stringify(parts)).digest(),
    bodyHash,
  };
}
