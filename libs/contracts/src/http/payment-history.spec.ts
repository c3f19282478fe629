import { describe, expect, it } from '@jest/globals';
import { formatPaginationKey, parsePaginationKey } from './payment-history.js';

const paymentId = '0190b2c3-0000-7000-8000-000000000001';
const createdAt = '2026-11-24T17:05:09.120Z';

describe('a pagination key', () => {
  it('is the id of a payment and the time of its confirmation', () => {
    const key = formatPaginationKey({ paymentId, createdAt });
    expect(key).toBe(`${paymentId}_${createdAt}`);
    expect(parsePaginationKey(key)).toEqual({ paymentId, createdAt });
    expect(parsePaginationKey(key.toUpperCase())).toEqual({ paymentId, createdAt });
  });

  it.each([
    '',
    paymentId,
    `${paymentId}_`,
    `_${createdAt}`,
    `${paymentId}_2026-11-24`,
    `${paymentId}_2026-11-24T17:05:09Z`,
    `${paymentId}_2026-11-24T17:05:09.120+01:00`,
    `${paymentId}_2026-02-30T17:05:09.120Z`,
    `${paymentId}_0000-01-01T17:05:09.120Z`,
    `${paymentId}_2026-11-24T25:05:09.120Z`,
    `${paymentId.slice(1)}_${createdAt}`,
    `${paymentId}_${createdAt} `,
  ])('is not %j', (text) => {
    expect(parsePaginationKey(text)).toBeNull();
  });
});
