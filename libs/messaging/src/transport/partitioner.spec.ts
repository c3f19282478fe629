import { describe, expect, it } from '@jest/globals';
import { murmur2, partitionOf } from './partitioner.js';

describe('murmur2', () => {
  // The vectors of Kafka's own UtilsTest.
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka does', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });
});

describe('partitionOf', () => {
  it('stays within the partitions and is the same every time', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const partition = partitionOf(`payment-${n}`, 12);
      expect(partition).toBeGreaterThanOrEqual(0);
      expect(partition).toBeLessThan(12);
      expect(partitionOf(`payment-${n}`, 12)).toBe(partition);
    }
  });
});
