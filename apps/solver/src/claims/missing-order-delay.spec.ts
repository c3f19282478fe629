import { expect, it } from '@jest/globals';
import { missingOrderDelay } from './missing-order-delay.js';

it('the delay grows with the age of a missing order', () => {
  expect([0, 20_000, 60_000, 600_000, 3_600_000].map(missingOrderDelay)).toEqual([
    2_000, 2_000, 6_000, 60_000, 300_000,
  ]);
});
