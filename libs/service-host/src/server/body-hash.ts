import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

const hashes = new WeakMap<FastifyRequest, string>();

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Hashes the bytes of a body whose request has an `Idempotency-Key`, before they are parsed. */
export function rememberBodyHash(request: FastifyRequest, bytes: Buffer): void {
  if (request.headers[IDEMPOTENCY_KEY_HEADER] === undefined) return;
  hashes.set(request, hashOf(bytes));
}

/** Returns the SHA-256, hex, of the body of a request with an `Idempotency-Key`, byte by byte as it arrived. */
export const bodyHashOf = (request: FastifyRequest): string =>
  hashes.get(request) ?? hashOf(Buffer.alloc(0));
