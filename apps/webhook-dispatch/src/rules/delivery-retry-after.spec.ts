import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from './delivery-retry-after.js';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 86400 ', 86_400_000],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 600_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('%s asks for %d ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });

  it.each([null, '', '-5', '1.5', '1e3', 'soon', '2026-11-21', '99999999999', 'Sat, 21 Nov 2026'])(
    'asks for nothing as %s',
    (header) => {
      expect(retryAfterMs(header, now)).toBeNull();
    },
  );
});
