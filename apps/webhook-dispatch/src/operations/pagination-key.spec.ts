import { describe, expect, it } from '@jest/globals';
import { paginationKey, parsePaginationKey } from './pagination-key.js';

const position = {
  id: '0192e4a0-7b5c-7c3e-9f00-000000000001',
  createdAt: '2026-11-21T12:00:00.123456Z',
};

describe('a pagination key', () => {
  it('reads as it was written', () => {
    expect(parsePaginationKey(paginationKey(position))).toEqual(position);
  });

  it.each([
    '',
    'x',
    position.id,
    `${position.id}_2026-11-21T12:00:00.123Z`,
    `${position.id}_2026-13-21T12:00:00.123456Z`,
    `${position.id}_2026-02-30T12:00:00.123456Z`,
    `${position.id}_0000-11-21T12:00:00.123456Z`,
    `${position.id}_${position.createdAt}'`,
  ])('is not %s', (text) => {
    expect(parsePaginationKey(text)).toBeNull();
  });
});
