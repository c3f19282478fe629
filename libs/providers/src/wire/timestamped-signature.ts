import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface TimestampedSignature {
  /** Comma-separated `name=value` pairs: `t=<unix seconds>` and one or more signatures. */
  header: string;
  /** The pair that holds a signature, e.g. `v1`; there may be several while a secret is rotated. */
  scheme: string;
  rawBody: Buffer;
  now: Date;
  toleranceSeconds: number;
}

/** HMAC-SHA256 over `<t>.<raw body>`, hex: the scheme of Stripe, MoonPay and others. */
export function verifyTimestampedSignature(key: KeyObject, input: TimestampedSignature): boolean {
  const pairs = input.header.split(',').map((pair) => {
    const separator = pair.indexOf('=');
    return { name: pair.slice(0, separator).trim(), value: pair.slice(separator + 1).trim() };
  });
  const time = pairs.find((pair) => pair.name === 't')?.value;
  if (time === undefined || !/^[0-9]{1,12}$/.test(time)) return false;
  const age = Math.abs(input.now.getTime() / 1000 - Number(time));
  if (age > input.toleranceSeconds) return false;
  const expected = createHmac('sha256', key).update(`${time}.`).update(input.rawBody).digest();
  return pairs
    .filter((pair) => pair.name === input.scheme && /^[0-9a-f]{64}$/i.test(pair.value))
    .some((pair) => timingSafeEqual(Buffer.from(pair.value, 'hex'), expected));
}
