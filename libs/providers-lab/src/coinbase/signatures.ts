import { hexHmac, unixSeconds } from '../server/signatures.js';

export interface SignedWebhook {
  secret: string;
  body: string;
  /** Headers under the `v1` signature. */
  headers: Readonly<Record<string, string>>;
  /** Older subscriptions have no `v0`. */
  schemes: 'v0 and v1' | 'v1';
  now: Date;
}

/** Value of `X-Hook0-Signature`. */
export function webhookSignature({ secret, body, headers, schemes, now }: SignedWebhook): string {
  const t = unixSeconds(now);
  const signed = (text: string) => hexHmac(text, secret);
  const h = Object.keys(headers).join(' ');
  const v1 = signed(`${t}.${h}.${Object.values(headers).join('.')}.${body}`);
  return schemes === 'v1'
    ? `t=${t},h=${h},v1=${v1}`
    : `t=${t},v0=${signed(`${t}.${body}`)},h=${h},v1=${v1}`;
}
