import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'sandbox-signature';

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, fresh for each attempt. */
export function signCallback(body: string, secret: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000).toString();
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
