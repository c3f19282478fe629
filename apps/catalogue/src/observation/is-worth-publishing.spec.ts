import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { isWorthPublishing } from './is-worth-publishing.js';

const publishedAt = new Date('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(publishedAt.getTime() + ms);
const last = { usd: parseDecimal('2.50'), publishedAt };

describe('isWorthPublishing', () => {
  it('publishes the first price and every change', () => {
    expect(isWorthPublishing(undefined, last.usd, publishedAt, 1_000)).toBe(true);
    expect(isWorthPublishing(last, parseDecimal('2.51'), after(1), 1_000)).toBe(true);
  });

  it('republishes an unchanged price only when its last event is old', () => {
    expect(isWorthPublishing(last, parseDecimal('2.5'), after(999), 1_000)).toBe(false);
    expect(isWorthPublishing(last, parseDecimal('2.5'), after(1_000), 1_000)).toBe(true);
  });
});
