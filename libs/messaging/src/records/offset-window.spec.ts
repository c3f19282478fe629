import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OffsetWindow } from './offset-window.js';

describe('OffsetWindow', () => {
  it('commits only up to the first unfinished offset', () => {
    const window = new OffsetWindow();
    for (const offset of [5n, 6n, 9n]) window.take(offset);
    expect(window.finish(6n)).toBeNull();
    expect(window.finish(5n)).toBe(7n);
    expect(window.finish(9n)).toBe(10n);
    expect(window.size).toBe(0);
  });

  it('rejects an offset that was added before', () => {
    const window = new OffsetWindow();
    expect(window.take(5n)).toBe(true);
    expect(window.take(5n)).toBe(false);
    window.finish(5n);
    expect(window.take(4n)).toBe(false);
    expect(window.take(6n)).toBe(true);
  });

  it('never commits past an unfinished offset, and finally commits all, in any order of completion', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...Array(30).keys()], { minLength: 30 }), (order) => {
        const window = new OffsetWindow();
        for (let offset = 0n; offset < 30n; offset += 1n) window.take(offset);
        const unfinished = new Set(order);
        let committed = 0n;
        for (const offset of order) {
          unfinished.delete(offset);
          committed = window.finish(BigInt(offset)) ?? committed;
          expect(committed).toBe(BigInt(Math.min(30, ...unfinished)));
        }
      }),
    );
  });
});
