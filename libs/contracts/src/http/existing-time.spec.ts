import { describe, expect, it } from '@jest/globals';
import { isExistingTime } from './existing-time.js';

describe('a time', () => {
  it.each([
    '0001-01-01',
    '2026-11-24T17:05:09.120Z',
    '2026-11-24T17:05:09.123456Z',
    '2028-02-29T23:59:59+14:00',
    '9999-12-31T23:59:59Z',
  ])('exists: %s', (text) => {
    expect(isExistingTime(text)).toBe(true);
  });

  it.each([
    '',
    'yesterday',
    '0000-01-01T00:00:00Z',
    '2026-00-10',
    '2026-02-30',
    '2026-02-29T00:00:00Z',
    '2026-11-31T17:05:09.120Z',
    '2026-11-24T24:00:00Z',
    '2026-11-24T25:05:09Z',
    '9999-12-31T23:59:59-01:00',
  ])('does not exist: %j', (text) => {
    expect(isExistingTime(text)).toBe(false);
  });
});
