import type { Order } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { CROSSINGS, runCrossing, refund } from '../../../../tools/first-payment/cross-chain.js';
import {
  fillersOf,
  openedOrder,
  orderStatus,
  releasesOf,
} from '../../../../tools/first-payment/intent-orders.js';
import { getPayment, reaches } from '../../../../tools/first-payment/payments.js';
import { setSolverBehaviour } from '../../../../tools/first-payment/solver.js';
import { fund } from '../../../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../../../tools/first-payment/verify-completed.js';
import { transfersTo, type CrossingStand } from './crossing-stand.fixture.js';

const TEN_MINUTES = 600;

/** Tests that a delivery happens exactly once despite crashes and reorgs. */
export function deliveries(open: () => CrossingStand): void {
  it.each(CROSSINGS)(
    'is paid out to the last unit: $title',
    async (crossing) => {
      const { status, fulfilled } = await runCrossing(open().stage, crossing);
      expect(status).toBe('COMPLETE');
      expect(fulfilled.output_amount.asset).toMatch(/^betanet:/);
    },
    180_000,
  );

  it('completes and pays the solver despite a crash between fill and payment', async () => {
    const stand = open();
    const { stack, stage, here, there } = stand;
    const crossed = await stand.confirmed();
    const restarted = await stack.crashAfterFill();
    const order = await stand.funded(crossed);
    const completed = await reaches(stage.api, crossed.payment.payment_id, 'COMPLETE', 180_000);
    await verifyCompleted(stand.chains, completed);
    stand.isComplete(crossed.payment);

    await restarted(async () => (await orderStatus(here, order)) === 'OPEN');
    await eventually(async () => expect(await orderStatus(here, order)).toBe('RELEASED'), {
      timeoutMs: 120_000,
    });
    const fillers = await fillersOf(there, order);
    expect(fillers).toHaveLength(1);
    expect(await releasesOf(here, order)).toEqual([
      { filler: fillers[0], amount: order.inputAmount },
    ]);
  }, 400_000);

  it('is paid out once after a reorg removed its first deposit', async () => {
    const stand = open();
    const { stage, there } = stand;
    const crossed = await stand.confirmed();
    const { user, payment, wallet } = crossed;
    await setSolverBehaviour(stage.stack, { mode: 'silent' });
    const reorganise = await stand.alphanet.branchOff();
    await stand.funded(crossed);
    const isFunded = async (funded: boolean) =>
      expect((await getPayment(stage.api, payment.payment_id)).funded).toBe(funded);
    await eventually(() => isFunded(true), { timeoutMs: 60_000 });
    await reorganise();
    await eventually(() => isFunded(false), { timeoutMs: 60_000 });

    await fund(stage, user, payment);
    await setSolverBehaviour(stage.stack, { mode: 'normal' });
    const completed = await reaches(stage.api, payment.payment_id, 'COMPLETE', 180_000);
    await verifyCompleted(stand.chains, completed);
    expect(await transfersTo(there, 'USDC', user.destination)).toHaveLength(1);
    expect(await transfersTo(there, 'USDC', wallet)).toHaveLength(1);
    stand.isComplete(payment);
  }, 400_000);
}

/** Moves both clocks by ten minutes, so later quotes would be too late. */
export function stall(open: () => CrossingStand): void {
  it('is refunded and never paid out when the destination chain stalls for ten minutes', async () => {
    const stand = open();
    const { stage, here, there, alphanet, betanet } = stand;
    const { user, payment, wallet } = await stand.confirmed();
    const fromBlock = await here.client.getBlockNumber();
    await betanet.standStill();
    let order: Order;
    try {
      await fund(stage, user, payment);
      order = await openedOrder(here, wallet, fromBlock);
      // The fill, which is not mined in time.
      await betanet.waiting(1);
      await alphanet.passTime(TEN_MINUTES);
      await betanet.passTime(TEN_MINUTES);
    } finally {
      await betanet.goOn();
    }
    const failed = await reaches(stage.api, payment.payment_id, 'FAILED', 180_000);
    expect(failed.issues).toMatchObject([{ kind: 'parked_fund', classification: 'STUCK' }]);
    await refund(stage, { user, payment, order }, 'SPW');
    for (const holder of [user.destination, wallet]) {
      expect(await transfersTo(there, 'USDC', holder)).toEqual([]);
    }
    stand.ends.push({
      paymentId: payment.payment_id,
      status: 'WITHDRAWN',
      told: ['FAILED'],
    });
  }, 400_000);
}
