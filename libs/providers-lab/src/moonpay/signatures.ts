import { createHmac } from 'node:crypto';
import { isSameText } from '../server/signatures.js';

/** Checks the signature of the widget's URL: over its query, the leading `?` included. */
export function isSignedQuery(search: string, secretKey: string): boolean {
  const at = search.lastIndexOf('&signature=');
  if (at < 0) return false;
  const given = decodeURIComponent(search.slice(at + '&signature='.length));
  const expected = createHmac('sha256', secretKey).update(search.slice(0, at)).digest('base64');
  return isSameText(given, expected);
}
