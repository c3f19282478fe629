import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CrossingStand, type RunningStack } from './crossing-stand.fixture.js';
import { deadlines } from './deadlines.fixture.js';
import { deliveries, stall } from './deliveries.fixture.js';
import { withdrawals } from './withdrawals.fixture.js';

interface Scenarios {
  tests: (open: () => CrossingStand) => void;
  /** Payments whose status and webhooks are checked again at the end. */
  ends: number;
}

export const DELIVERIES: Scenarios = { tests: deliveries, ends: 2 };

/** In this order: the last ones move the chains' clocks, so that later quotes would be too late. */
export const ALL_SCENARIOS: readonly Scenarios[] = [
  DELIVERIES,
  { tests: withdrawals, ends: 3 },
  { tests: deadlines, ends: 1 },
  { tests: stall, ends: 1 },
];

/** Tests of cross-chain payments for every stack; they move the chains' clocks, so other payments are played before. */
export function crossings(
  running: () => RunningStack,
  scenarios: readonly Scenarios[] = ALL_SCENARIOS,
): void {
  describe('a payment that crosses chains', () => {
    let stand: CrossingStand;

    beforeAll(async () => {
      stand = await CrossingStand.open(running());
    });

    afterAll(() => stand.close());

    const open = () => stand;
    for (const { tests } of scenarios) tests(open);

    it('ends with the right status and webhooks in every scenario', async () => {
      const { ends, stage } = stand;
      for (const { paymentId, status } of ends) {
        expect(await stand.statuses(paymentId)).toEqual([status, status]);
      }
      await eventually(
        () => {
          const told = ends.map(({ paymentId }) => stage.webhooks.statusesOf(paymentId));
          expect(told).toEqual(ends.map((end) => end.told));
        },
        { timeoutMs: 60_000 },
      );
      expect(ends).toHaveLength(scenarios.reduce((sum, each) => sum + each.ends, 0));
    });
  });
}
