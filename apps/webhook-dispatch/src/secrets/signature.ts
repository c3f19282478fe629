import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SIGNING_SECRET_PREFIX } from './signing-secret.js';

/** Parts of a delivery that are signed. */
export interface SignedDelivery {
  id: string;
  body: Buffer;
}

/** Signing secret as keys of both schemes, created once. */
export interface SigningKey {
  /** Secret as UTF-8. */
  service: KeyObject;
  /** Bytes after `whsec_`; a secret in another form is used unchanged. */
  standard: KeyObject;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function signingKey(secret: string): SigningKey {
  const service = createSecretKey(Buffer.from(secret, 'utf8'));
  const encoded = secret.slice(SIGNING_SECRET_PREFIX.length);
  const isStandard = secret.startsWith(SIGNING_SECRET_PREFIX) && BASE64.test(encoded);
  return {
    service,
    standard: isStandard ? createSecretKey(Buffer.from(encoded, 'base64')) : service,
  };
}

/**
 * Returns the headers of one attempt: the signature of the specification over the raw body, keyed with the secret as
 * UTF-8, and those of Standard Webhooks (https://www.standardwebhooks.com), each with an entry per active secret.
 */
export function signatureHeaders(
  delivery: SignedDelivery,
  keys: readonly SigningKey[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const prefix = `${delivery.id}.${timestamp}.`;
  const service = keys.map(
    (key) => `v1=0x${createHmac('sha256', key.service).update(delivery.body).digest('hex')}`,
  );
  const standard = keys.map((key) => {
    const hmac = createHmac('sha256', key.standard).update(prefix).update(delivery.body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'x-service-signature': service.join(','),
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
