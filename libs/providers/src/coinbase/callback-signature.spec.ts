import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { CallbackHeaders } from '../port/onramp-provider.js';
import { isSignedCallback } from './callback-signature.js';

const secret = 'whsec_cb';
const key = createSecretKey(Buffer.from(secret));
const rawBody = Buffer.from('{"eventType":"onramp.transaction.success"}');
const t = 1_728_394_718;
const now = new Date(t * 1_000);
const v0 = 'f8f1dc7932df4b8509e1f7efa471d9df9a1fc1239bbe96cc6660010f00901117';
const v1 = '3a061dce07fdeea4d6f7818b5492723a6151778ac5cacd4849841b1d38aa4205';
const h = 'content-type x-event-id';
const signed = { 'content-type': 'application/json', 'x-event-id': 'e1' };

const verified = (signature: string, headers: CallbackHeaders = signed, at = now) =>
  isSignedCallback(key, {
    headers: { ...headers, 'x-hook0-signature': signature },
    rawBody,
    now: at,
  });

describe('the signature of a callback', () => {
  it.each([
    ['with v0 over the body', `t=${t},v0=${v0}`, {}],
    ['with v1 over headers and body', `t=${t},h=${h},v1=${v1}`, signed],
    ['with both', `t=${t},v0=${v0},h=${h},v1=${v1}`, signed],
  ])('is accepted %s', (_what, signature, headers) => {
    expect(verified(signature, headers)).toBe(true);
  });

  it.each([
    ['of another body', `t=${t},v0=${'0'.repeat(64)}`, signed],
    ['of another time', `t=${t - 1},v0=${v0}`, signed],
    ['with a wrong v0 beside a right v1', `t=${t},v0=${v1},h=${h},v1=${v1}`, signed],
    ['without one of its headers', `t=${t},h=${h},v1=${v1}`, { 'x-event-id': 'e1' }],
    ['with another header', `t=${t},h=${h},v1=${v1}`, { ...signed, 'x-event-id': 'e2' }],
    ['without the names of the headers', `t=${t},v1=${v1}`, signed],
    ['without a signature', `t=${t}`, signed],
    ['that is empty', '', signed],
  ])('is refused %s', (_what, signature, headers) => {
    expect(verified(signature, headers)).toBe(false);
  });

  it('is refused when it is missing', () => {
    expect(isSignedCallback(key, { headers: signed, rawBody, now })).toBe(false);
  });

  it('is refused once it is older than five minutes', () => {
    const signature = `t=${t},v0=${v0}`;
    expect(verified(signature, {}, new Date((t + 300) * 1_000))).toBe(true);
    expect(verified(signature, {}, new Date((t + 301) * 1_000))).toBe(false);
  });

  it('is refused with another secret', () => {
    const signature = createHmac('sha256', 'another').update(`${t}.`).update(rawBody).digest('hex');
    expect(verified(`t=${t},v0=${signature}`)).toBe(false);
  });
});
