import { describe, expect, it } from '@jest/globals';
import { agreedHeight } from './head.js';

describe('the height that endpoints agree on', () => {
  it.each<[bigint[], bigint | undefined]>([
    [[], undefined],
    [[7n], 7n],
    [[9n, 7n], 7n],
    [[7n, 9n, 8n], 8n],
    [[100n, 8n, 7n, 7n], 7n],
  ])('is, for heights %p, %p', (heights, expected) => {
    expect(agreedHeight(heights)).toBe(expected);
  });
});
