import { expect, it } from '@jest/globals';
import { fillDelay } from './fill-delay.js';

it('the delay of a look at an unfilled order doubles, up to half a minute', () => {
  expect([0, 1, 4, 5, 1_000_000].map(fillDelay)).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
});
