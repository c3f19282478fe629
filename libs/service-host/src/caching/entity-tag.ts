import { createHash } from 'node:crypto';
import type { Encoding } from './content-encodings.js';

const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Digest of the content, so that replicas and restarts agree. */
export const contentHash = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 27);

/** Strong tag, so each encoding has its own (RFC 9110, 8.8.3.3). */
export const entityTag = (hash: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${hash}"` : `"${hash}.${encoding}"`;

/** Whether the client has it already (RFC 9110, 13.1.2): any entry of the list, compared weakly, or `*`. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(ENTITY_TAG)).some(([, opaque]) => opaque === tag);
}
