import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.js';

describe('the options of chaos', () => {
  it('default to the short form with a new seed each time', () => {
    const [first, second] = [parseOptions([], {}), parseOptions([], {})];
    expect(first).toMatchObject({ kills: 15, payments: 60 });
    expect(first.seed).not.toBe(second.seed);
  });

  it('keep the number of payments per kill in the long form', () => {
    expect(parseOptions(['--long'], {})).toMatchObject({ kills: 500, payments: 2_000 });
    expect(parseOptions(['--kills', '100'], {})).toMatchObject({ kills: 100, payments: 400 });
    expect(parseOptions(['--kills', '5', '--payments', '20'], {})).toMatchObject({
      kills: 5,
      payments: 20,
    });
  });

  it('accept the seed of an earlier run', () => {
    expect(parseOptions([], { CHAOS_SEED: '7' }).seed).toBe(7);
    expect(parseOptions(['--seed', '8'], { CHAOS_SEED: '7' }).seed).toBe(8);
  });

  it.each([
    ['--kills', 'many'],
    ['--seed', '-1'],
    ['--payments', ''],
    ['--kils', '5'],
  ])('refuse %s %s', (name, value) => {
    expect(() => parseOptions([name, value], {})).toThrow(/kil|seed|payments/);
  });
});
