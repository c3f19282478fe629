import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyTimestampedSignature } from './timestamped-signature.js';

const secret = 'whsec_test';
const key = createSecretKey(Buffer.from(secret));
const rawBody = Buffer.from('{"id":"evt_1"}');
const now = new Date('2026-11-21T12:00:00Z');
const t = Math.floor(now.getTime() / 1000);

const sign = (time: number, body = rawBody) =>
  createHmac('sha256', secret)
    .update(`${String(time)}.`)
    .update(body)
    .digest('hex');
const verify = (header: string, at = now) =>
  verifyTimestampedSignature(key, {
    header,
    scheme: 'v1',
    rawBody,
    now: at,
    toleranceSeconds: 300,
  });

describe('a timestamped signature', () => {
  it('is accepted when one of several matches', () => {
    expect(verify(`t=${String(t)},v1=${sign(t)}`)).toBe(true);
    expect(verify(`t=${String(t)},v1=${'0'.repeat(64)},v1=${sign(t)}`)).toBe(true);
  });

  it.each([
    ['without a time', `v1=${sign(t)}`],
    ['of another time', `t=${String(t - 1)},v1=${sign(t)}`],
    ['of another body', `t=${String(t)},v1=${sign(t, Buffer.from('{}'))}`],
    ['under another scheme', `t=${String(t)},v0=${sign(t)}`],
    ['cut short', `t=${String(t)},v1=${sign(t).slice(2)}`],
    ['that is empty', ''],
  ])('is refused %s', (_why, header) => {
    expect(verify(header)).toBe(false);
  });

  it('is refused once it is older than the tolerance', () => {
    const header = `t=${String(t)},v1=${sign(t)}`;
    expect(verify(header, new Date(now.getTime() + 300_000))).toBe(true);
    expect(verify(header, new Date(now.getTime() + 301_000))).toBe(false);
  });
});
