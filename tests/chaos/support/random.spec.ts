import { describe, expect, it } from '@jest/globals';
import { Random } from './random.js';

const drawn = (random: Random, count = 1_000) => Array.from({ length: count }, () => random.next());

describe('seeded randomness', () => {
  it('repeats with the same seed and differs with another', () => {
    expect(drawn(new Random(1))).toEqual(drawn(new Random(1)));
    expect(drawn(new Random(1))).not.toEqual(drawn(new Random(2)));
  });

  it('is spread evenly from 0 to below 1', () => {
    const numbers = drawn(new Random(3), 10_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
  });

  it('picks every element and shuffles without loss', () => {
    const random = new Random(4);
    const list = ['a', 'b', 'c'];
    expect(new Set(Array.from({ length: 100 }, () => random.pick(list)))).toEqual(new Set(list));
    expect([...random.shuffled(list)].sort()).toEqual(list);
    expect(new Set(Array.from({ length: 100 }, () => random.whole(2, 4)))).toEqual(
      new Set([2, 3, 4]),
    );
  });

  it('forks into sequences independent of later draws', () => {
    const [one, other] = [new Random(5), new Random(5)];
    const [forkOfOne, forkOfOther] = [one.fork(), other.fork()];
    drawn(one);
    expect(drawn(forkOfOne)).toEqual(drawn(forkOfOther));
  });
});
