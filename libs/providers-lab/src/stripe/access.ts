import type { LabRequest } from '../server/lab-server.js';
import { isSameText } from '../server/signatures.js';

/** Checks the secret key: as a bearer token, or as the user of Basic authentication without a password. */
export function hasSecretKey({ headers }: LabRequest, secretKey: string): boolean {
  const given = headers.authorization ?? '';
  const basic = Buffer.from(`${secretKey}:`).toString('base64');
  return isSameText(given, `Bearer ${secretKey}`) || isSameText(given, `Basic ${basic}`);
}
