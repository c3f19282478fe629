import { createHmac } from 'node:crypto';

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
  const t = Math.floor(now.getTime() / 1_000);
  const signed = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const h = Object.keys(headers).join(' ');
  const v1 = signed(`${t}.${h}.${Object.values(headers).join('.')}.${body}`);
  return schemes === 'v1'
    ? `t=${t},h=${h},v1=${v1}`
    : `t=${t},v0=${signed(`${t}.${body}`)},h=${h},v1=${v1}`;
}
