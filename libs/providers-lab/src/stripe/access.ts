import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LabRequest } from '../server/lab-server.js';

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Checks the secret key: as a bearer token, or as the user of Basic authentication without a password. */
export function hasSecretKey({ headers }: LabRequest, secretKey: string): boolean {
  const given = headers.authorization ?? '';
  const basic = Buffer.from(`${secretKey}:`).toString('base64');
  return same(given, `Bearer ${secretKey}`) || same(given, `Basic ${basic}`);
}

/** Value of `Stripe-Signature`. */
export function webhookSignature(body: string, webhookSecret: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1_000);
  const signature = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex');
  return `t=${t},v1=${signature}`;
}
