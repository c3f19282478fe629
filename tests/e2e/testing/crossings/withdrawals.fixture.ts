import type { WithdrawalStatusResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { parseGwei } from 'viem';
import { orderStatus } from '../../../../tools/first-payment/intent-orders.js';
import { reaches } from '../../../../tools/first-payment/payments.js';
import { until } from '../../../../tools/first-payment/polling.js';
import { setSolverBehaviour } from '../../../../tools/first-payment/solver.js';
import { fund } from '../../../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../../../tools/first-payment/verify-completed.js';
import {
  parkedBalance,
  parkedBalances,
  signedPayout,
  withdraw,
  confirmWithdrawal,
} from '../../../../tools/first-payment/withdraw.js';
import { strangersCall } from '../strangers-call.fixture.js';
import {
  balanceOf,
  SAME_TOKEN,
  sendWithFixedGas,
  transfersTo,
  unitsOf,
  usdcCall,
  type CrossingStand,
} from './crossing-stand.fixture.js';
import { depositTo } from '../deposit-to.fixture.js';

/** Tests of withdrawals during a payment, and of deposits that were never part of it. */
export function withdrawals(open: () => CrossingStand): void {
  it('lets the owner withdraw deposits in the wrong token or on the wrong chain', async () => {
    const stand = open();
    const { stage, here, there } = stand;
    const { user, payment, wallet } = await stand.confirmed();
    // The second token is the input of the payment's second leg.
    const wrong = [
      { on: here, symbol: 'USDT' },
      { on: there, symbol: 'USDC' },
      { on: there, symbol: 'WETH' },
    ];
    for (const { on, symbol } of wrong) {
      await depositTo(on, wallet, '5', symbol);
    }
    await fund(stage, user, payment);
    const completed = await reaches(stage.api, payment.payment_id, 'COMPLETE', 180_000);
    await verifyCompleted(stand.chains, completed);

    const parked = await eventually(
      async () => {
        const balances = await parkedBalances(stage.api, payment.payment_id);
        const large = balances.filter(({ amount }) => Number(amount) > 1);
        expect(large.map(({ token }) => token).sort()).toEqual(
          wrong.map(({ on, symbol }) => on.token(symbol)).sort(),
        );
        return large;
      },
      { timeoutMs: 60_000 },
    );
    for (const { on, symbol } of wrong) {
      const balance = parked.find(({ token }) => token === on.token(symbol));
      if (!balance) throw new Error(`no ${symbol} is parked`);
      const { payout } = await withdraw(stage.api, user.owner, payment.payment_id, balance);
      expect(payout).toBeGreaterThan((await unitsOf(on, symbol, '5')) / 2n);
      expect(await balanceOf(on, symbol, user.owner.address)).toBe(payout);
    }
    stand.isComplete(payment);
  }, 400_000);

  it('is withdrawn when a third party submits a signed withdrawal before the pending leg', async () => {
    const stand = open();
    const { stage, here, alphanet } = stand;
    const crossed = await stand.confirmed();
    const { user, payment, wallet } = crossed;
    const { amount } = SAME_TOKEN.give;
    await alphanet.standStill();
    try {
      const deposit = usdcCall('transfer', wallet, await unitsOf(here, 'USDC', amount));
      await sendWithFixedGas(here, user.owner, deposit);
      await alphanet.mine(2);
      // The leg, which is not mined.
      await alphanet.waiting(1);
      const balance = await parkedBalance(stage.api, payment.payment_id, 'SPW');
      const { request, signature } = await stand.signed(crossed, balance);
      const call = strangersCall(payment, request.withdraw_authorization, signature, wallet);
      await sendWithFixedGas(here, here.faucet, call, parseGwei('500'));
      await alphanet.mine(2);
    } finally {
      await alphanet.goOn();
    }
    const withdrawn = await reaches(stage.api, payment.payment_id, 'WITHDRAWN', 180_000);
    expect(withdrawn.withdrawals).toHaveLength(1);
    expect(withdrawn.withdrawals?.[0]).toMatchObject({ status: 'SUCCESS' });
    expect(await parkedBalances(stage.api, payment.payment_id)).toEqual([]);
    expect(await balanceOf(here, 'USDC', wallet)).toBe(0n);
    stand.ends.push({ paymentId: payment.payment_id, status: 'WITHDRAWN', told: [] });
  }, 400_000);

  it('continues after its owner withdraws an excess while the order is open', async () => {
    const stand = open();
    const { stage, here, there, alphanet } = stand;
    const { api } = stage;
    const crossed = await stand.confirmed();
    const { user, payment, wallet } = crossed;
    const paymentId = payment.payment_id;
    const usdc = here.token('USDC');
    await setSolverBehaviour(stage.stack, { mode: 'silent' });
    const order = await stand.funded(crossed);
    await depositTo(here, wallet, '5');
    const across = { account: 'INTENT', amount: await here.amount(usdc, order.inputAmount) };
    const extra = { account: 'SPW', amount: '5' };
    await eventually(async () => expect(await stand.shown(paymentId)).toEqual([across, extra]), {
      timeoutMs: 60_000,
    });

    const balance = await parkedBalance(api, paymentId, 'SPW');
    const { request, signature } = await stand.signed(crossed, balance);
    const { withdraw_authorization, withdraw_id, state_token } = request;
    expect(JSON.parse(withdraw_authorization)).toMatchObject({ message: { accept_blame: false } });
    await alphanet.standStill();
    try {
      await confirmWithdrawal(api, { signature, state_token, polling_timeout: 0 });
      await eventually(
        async () =>
          expect(await stand.statuses(paymentId)).toEqual(['PENDING', 'WITHDRAW_PENDING']),
        { timeoutMs: 60_000 },
      );
      expect(await stand.withdrawalsOf(paymentId)).toMatchObject([{ status: 'PENDING' }]);
    } finally {
      await alphanet.goOn();
    }
    const mined = await until('the withdrawal', async () => {
      const query = { withdraw_id };
      const now = await api.get<WithdrawalStatusResponse>('/payments/withdraw/status', query);
      return now.status === 'SUCCESS' ? now : null;
    });
    const withdrawn = [
      {
        status: 'SUCCESS',
        token_amounts: [{ token: usdc, amount: '5' }],
        recipient_address: user.owner.address,
        transaction_hash: mined.transaction_hash,
        issues: [],
      },
    ];
    await eventually(
      async () => {
        expect(await stand.withdrawalsOf(paymentId)).toEqual(withdrawn);
        expect(await stand.statuses(paymentId)).toEqual(['PENDING', 'PENDING']);
        expect(await stand.shown(paymentId)).toEqual([across]);
      },
      { timeoutMs: 60_000 },
    );
    expect(await balanceOf(here, 'USDC', user.owner.address)).toBe(
      signedPayout(withdraw_authorization, user.owner.address),
    );
    expect(await orderStatus(here, order)).toBe('OPEN');

    await setSolverBehaviour(stage.stack, { mode: 'normal' });
    const completed = await reaches(api, paymentId, 'COMPLETE', 180_000);
    await verifyCompleted(stand.chains, completed);
    expect(completed.withdrawals).toEqual(withdrawn);
    expect(await stand.statuses(paymentId)).toEqual(['COMPLETE', 'COMPLETE']);
    expect(await transfersTo(there, 'USDC', user.destination)).toHaveLength(1);
    stand.isComplete(payment);
  }, 400_000);
}
