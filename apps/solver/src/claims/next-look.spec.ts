import { expect, it } from '@jest/globals';
import { nextLook } from './next-look.js';

it('an order that its chain has lost is looked for ever more rarely', () => {
  expect([0, 20_000, 60_000, 600_000, 3_600_000].map(nextLook)).toEqual([
    2_000, 2_000, 6_000, 60_000, 300_000,
  ]);
});
