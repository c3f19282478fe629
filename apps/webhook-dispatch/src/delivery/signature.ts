import { createHmac } from 'node:crypto';
import { SIGNING_SECRET_PREFIX } from '../secrets/signing-secret.js';

/** What a delivery is signed over. */
export interface SignedDelivery {
  id: string;
  body: Buffer;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The headers of one attempt: the specification's own signature over the raw body, keyed with the secret as UTF-8, and
 * those of Standard Webhooks (https://www.standardwebhooks.com), each with an entry per active secret.
 */
export function signatureHeaders(
  delivery: SignedDelivery,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signed = Buffer.concat([Buffer.from(`${delivery.id}.${timestamp}.`), delivery.body]);
  return {
    'x-service-signature': secrets
      .map((secret) => `v1=0x${hmac(Buffer.from(secret, 'utf8'), delivery.body).toString('hex')}`)
      .join(','),
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${hmac(standardKey(secret), signed).toString('base64')}`)
      .join(' '),
  };
}

const hmac = (key: Buffer, content: Buffer): Buffer =>
  createHmac('sha256', key).update(content).digest();

/** Standard Webhooks keys are the bytes behind `whsec_`; a secret in another form is used as it is. */
function standardKey(secret: string): Buffer {
  const encoded = secret.slice(SIGNING_SECRET_PREFIX.length);
  return secret.startsWith(SIGNING_SECRET_PREFIX) && BASE64.test(encoded)
    ? Buffer.from(encoded, 'base64')
    : Buffer.from(secret, 'utf8');
}
