import { createHmac, timingSafeEqual } from 'node:crypto';

export const isSameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

export const hexHmac = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('hex');

/** Value of a header that signs `t.body`, under the name of the scheme. */
export function timestampedSignature(scheme: string, body: string, key: string): string {
  const t = unixSeconds(new Date());
  return `t=${t},${scheme}=${hexHmac(`${t}.${body}`, key)}`;
}
