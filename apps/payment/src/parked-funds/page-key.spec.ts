import { describe, expect, it } from '@jest/globals';
import { formatPageKey, parsePageKey } from './page-key.js';

const paymentId = '0190b2c3-0000-7000-8000-000000000001';
const startedAt = new Date('2026-11-24T12:00:07.000Z');

describe('the key of a page', () => {
  it.each([
    ['HOLDING', `${paymentId}_2026-11-24T12:00:07.000Z`],
    ['OTHER', `${paymentId}_2026-11-24T12:00:07.001Z`],
  ] as const)('names the payment, the start and the group %s', (group, key) => {
    expect(formatPageKey({ paymentId, group, startedAt })).toBe(key);
    expect(parsePageKey(key)).toEqual({ paymentId, group, startedAt });
  });

  it('lists the first group again for a timestamp of another kind', () => {
    expect(parsePageKey(`${paymentId}_2026-11-24T12:00:07.345Z`)).toEqual({
      paymentId,
      group: 'HOLDING',
      startedAt,
    });
    expect(parsePageKey(paymentId)).toBeNull();
  });
});
