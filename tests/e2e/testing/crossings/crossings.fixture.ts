import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CrossingStand, type RunningStack } from './crossing-stand.fixture.js';
import { deadlines } from './deadlines.fixture.js';
import { deliveries, stall } from './deliveries.fixture.js';
import { withdrawals } from './withdrawals.fixture.js';

/** Tests of cross-chain payments for every stack; they move the chains' clocks, so other payments are played before. */
export function crossings(running: () => RunningStack): void {
  describe('a payment that crosses chains', () => {
    let stand: CrossingStand;

    beforeAll(async () => {
      stand = await CrossingStand.open(running());
    });

    afterAll(() => stand.close());

    const open = () => stand;
    deliveries(open);
    withdrawals(open);
    deadlines(open);
    stall(open);

    it('ends with the right status and webhooks in every scenario', async () => {
      const { ends, stage } = stand;
      for (const { paymentId, status } of ends) {
        expect(await stand.statuses(paymentId)).toEqual([status, status]);
      }
      // The last payment failed after all others had ended, so its webhook is the last.
      await eventually(
        () => {
          const told = ends.map(({ paymentId }) => stage.webhooks.statusesOf(paymentId));
          expect(told).toEqual(ends.map((end) => end.told));
        },
        { timeoutMs: 60_000 },
      );
      expect(ends).toHaveLength(7);
    });
  });
}
