import { describe, expect, it } from '@jest/globals';
import { Random } from '../support/random.js';
import { SCENARIOS } from './scenarios.js';
import { planRound } from './workload.js';

const counts = (payments: number, seed: number): Map<string, number> => {
  const counted = new Map<string, number>();
  for (const { name } of planRound(payments, new Random(seed))) {
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  return counted;
};

describe('the plan of a round', () => {
  it('contains every scenario, even in a short round', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const kinds = [...counts(20, seed).keys()].sort();
      expect(kinds).toEqual(SCENARIOS.map(({ name }) => name).sort());
    }
  });

  it('contains each scenario as often as its share', () => {
    expect(Object.fromEntries(counts(200, 1))).toEqual(
      Object.fromEntries(SCENARIOS.map(({ name, share }) => [name, share])),
    );
  });

  it('begins with the slow scenarios', () => {
    const isSlow = planRound(200, new Random(2)).map((kind) => kind.isSlow === true);
    expect(isSlow.lastIndexOf(true)).toBeLessThan(isSlow.indexOf(false));
  });
});
