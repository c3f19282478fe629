import { createHmac, timingSafeEqual } from 'node:crypto';

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Checks the signature of the widget's URL: over its query, the leading `?` included. */
export function isSignedQuery(search: string, secretKey: string): boolean {
  const at = search.lastIndexOf('&signature=');
  if (at < 0) return false;
  const given = decodeURIComponent(search.slice(at + '&signature='.length));
  const expected = createHmac('sha256', secretKey).update(search.slice(0, at)).digest('base64');
  return same(given, expected);
}

/** Value of `Moonpay-Signature-V2`. */
export function webhookSignature(body: string, webhookKey: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1_000);
  const signature = createHmac('sha256', webhookKey).update(`${t}.${body}`).digest('hex');
  return `t=${t},s=${signature}`;
}
