import { describe, expect, it } from '@jest/globals';
import { newestHeld } from './newest-held.js';

/** Searches in so many blocks, of which the newest are not held; returns the result and the blocks that were read. */
async function search(count: number, missing: number): Promise<{ found: number; read: number[] }> {
  const read: number[] = [];
  const found = await newestHeld(
    Array.from({ length: count }, (_, index) => index),
    (index) => {
      read.push(index);
      return Promise.resolve(index >= missing);
    },
  );
  return { found, read };
}

describe('the newest block that a node still has', () => {
  it('is found after any number of others', async () => {
    for (let count = 0; count <= 40; count += 1) {
      for (let missing = 0; missing <= count; missing += 1) {
        expect([count, missing, (await search(count, missing)).found]).toEqual([
          count,
          missing,
          missing,
        ]);
      }
    }
  });

  it('is found by as few reads as a reorg is deep, and by few in a deep one', async () => {
    expect((await search(512, 0)).read).toEqual([0]);
    expect((await search(512, 1)).read).toEqual([0, 1]);
    expect((await search(512, 300)).read.length).toBeLessThanOrEqual(20);
    expect((await search(512, 512)).read.length).toBeLessThanOrEqual(20);
  });
});
