import { describe, expect, it } from '@jest/globals';
import {
  aBridgedSettlement,
  aDelivery,
  aFill,
  aRefund,
  aTransfer,
  BETA_USDC,
  aBridgedPayment,
  bridging,
  delivered,
  ORDER_ID,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { aPolicy, DESTINATION, HASH, minutesAfter, OWNER } from '../testing/a-payment.fixture.js';
import { ORG_ID, USDC } from '../testing/a-quote.fixture.js';
import { derive } from './derive.js';
import { eventTypeOf } from './transitions.js';
import { startableLeg } from './legs.js';
import { forgetRefunds } from './refunds.js';
import type { PaymentRecord } from './payment-record.js';
import { legBridged } from './transfers.js';
import { forgetMinedWithdrawals, withdrawalMined, withdrawalReported } from './withdrawals.js';
import type { ReportedWithdrawal } from './withdrawals.js';

const at = minutesAfter(6);
const nonce = (number: bigint): bigint =>
  (BigInt(minutesAfter(30).getTime() / 1000) << 192n) + number;

const report =
  (overrides: Partial<ReportedWithdrawal> = {}) =>
  (payment: PaymentRecord, now: Date): PaymentRecord =>
    withdrawalReported(
      payment,
      {
        version: 2,
        withdraw_id: '0190b2c3-0000-7000-8000-00000000000a',
        payment_id: payment.id,
        org_id: ORG_ID,
        chain: 'alphanet',
        wallet_address: payment.walletAddress,
        withdraw_account: 'INTENT',
        transferId: ORDER_ID,
        token_amounts: [{ token: USDC, amount: '99' }],
        recipient_address: OWNER.toLowerCase(),
        accept_blame: false,
        nonce: nonce(7n).toString(),
        submitted: true,
        status: 'PENDING',
        transaction_hash: null,
        failure: null,
        expires_at: minutesAfter(30).toISOString(),
        updated_at: minutesAfter(5).toISOString(),
        ...overrides,
      },
      now,
    );

/** From the wallet on alphanet, which it leaves empty. */
const mine =
  (acceptBlame: boolean, blockNumber = 1_200n) =>
  (payment: PaymentRecord, now: Date): PaymentRecord =>
    withdrawalMined(
      payment,
      {
        chain: 'alphanet',
        nonce: nonce(9n),
        withdrawId: 'from-nonce',
        acceptBlame,
        mined: { transactionHash: HASH, blockNumber, blockTimestamp: now, remaining: [] },
      },
      () => aPolicy,
      now,
    );

const unfilled = () => bridging().changed(seen({ kind: 'unfilled' }), minutesAfter(5));

describe('the refund of an order', () => {
  it('counts as a mined withdrawal, also from a third party', () => {
    const payment = unfilled().changed(seen(aRefund()), at).build();
    expect(payment).toMatchObject({
      status: 'WITHDRAWN',
      legs: [{ status: 'FAILED', transfer: { status: 'REFUNDED' }, dueAt: null }, {}],
      withdrawals: [
        {
          transferId: ORDER_ID,
          tokenAmounts: [{ token: USDC, amount: '98' }],
          recipientAddress: OWNER,
          acceptBlame: false,
          submitted: true,
          status: 'SUCCESS',
          transactionHash: aRefund().transactionHash,
          mined: { blockNumber: 1_500n, remaining: [] },
        },
      ],
    });
  });

  it('leaves a withdrawal from the wallet as it is', () => {
    const asked = report({ withdraw_id: 'from-wallet', transferId: null });
    const open = unfilled().changed(asked, at).changed(seen(aRefund()), at).build();
    expect(open.withdrawals).toMatchObject([
      { withdrawId: 'from-wallet', status: 'PENDING', mined: null },
      { withdrawId: ORDER_ID, status: 'SUCCESS' },
    ]);
    for (const before of [unfilled(), unfilled().changed(asked, at)]) {
      const mined = before.changed(mine(false), at).changed(seen(aRefund()), at).build();
      expect(mined.withdrawals).toContainEqual(
        expect.objectContaining({ withdrawId: 'from-nonce', status: 'SUCCESS', transferId: null }),
      );
    }
  });

  it('makes only the leg of its transfer due when it is requested', () => {
    const { legs } = report()(unfilled().build(), at);
    expect(legs.map(({ dueAt }) => dueAt)).toEqual([at, null]);
  });

  it('before the order is known to be unfilled does not fail the payment', () => {
    const before = bridging().build();
    const after = bridging().changed(seen(aRefund()), at).build();
    expect(after.status).toBe('WITHDRAWN');
    expect(eventTypeOf(before, after)).toBe('payment.withdrawn');
    const extra = bridging().deposited({ amount: 5_000_000n, blockNumber: 1_100n });
    const left = extra.changed(seen(aRefund()), at).build();
    expect(left.status).toBe('EXPIRED');
    expect(eventTypeOf(extra.build(), left)).toBe('payment.expired');
  });

  it('ends the withdrawal that requested it', () => {
    const asked = unfilled().changed(report(), at);
    expect(asked.build()).toMatchObject({
      status: 'WITHDRAW_PENDING',
      statusBeforeWithdrawal: 'FAILED',
    });
    expect(asked.build().legs[0]?.dueAt).toEqual(at);
    const { status, withdrawals } = asked.changed(seen(aRefund()), at).build();
    expect(status).toBe('WITHDRAWN');
    expect(withdrawals).toEqual([
      expect.objectContaining({
        withdrawId: '0190b2c3-0000-7000-8000-00000000000a',
        tokenAmounts: [{ token: USDC, amount: '99' }],
        status: 'SUCCESS',
      }),
    ]);
  });

  it('has no second effect when it is reported late', () => {
    const told = unfilled().changed(seen(aRefund()), at);
    const reported = told.changed(report({ status: 'SUCCESS' }), at).build();
    expect(reported).toMatchObject({
      status: 'WITHDRAWN',
      withdrawals: [
        { withdrawId: '0190b2c3-0000-7000-8000-00000000000a', status: 'SUCCESS', version: 2 },
      ],
    });
    const again = report({ status: 'SUCCESS', version: 3 });
    expect(again(reported, at).withdrawals).toHaveLength(1);
  });

  describe('requested twice with the same recipient', () => {
    const first = { withdraw_id: 'first', nonce: nonce(1n).toString() };
    const second = { withdraw_id: 'second', nonce: nonce(2n).toString() };
    const outcomes = ({ withdrawals }: PaymentRecord) =>
      withdrawals
        .map(({ withdrawId, status, mined }) => [withdrawId, status, mined !== null])
        .sort();

    it('settles the withdrawal that was submitted', () => {
      const payment = unfilled()
        .changed(report({ ...first, submitted: false }), at)
        .changed(report(second), at)
        .changed(seen(aRefund()), at)
        .build();
      expect(outcomes(payment)).toEqual([
        ['first', 'PENDING', false],
        ['second', 'SUCCESS', true],
      ]);
      expect(payment.withdrawals.find(({ withdrawId }) => withdrawId === 'first')).toMatchObject({
        submitted: false,
      });
    });

    it('settles the withdrawal that its service has reported as successful before', () => {
      const payment = unfilled()
        .changed(report(first), at)
        .changed(report({ ...second, status: 'SUCCESS' }), at)
        .changed(seen(aRefund()), at)
        .build();
      expect(outcomes(payment)).toEqual([
        ['first', 'PENDING', false],
        ['second', 'SUCCESS', true],
      ]);
    });

    it.each(['FAILED', 'EXPIRED'] as const)('settles no withdrawal that has %s', (status) => {
      const payment = unfilled()
        .changed(report({ ...first, status }), at)
        .changed(seen(aRefund()), at)
        .build();
      expect(outcomes(payment)).toEqual([
        [ORDER_ID, 'SUCCESS', true],
        ['first', status, false],
      ]);
    });

    it('stays with its withdrawal until its service reports another outcome', () => {
      const settled = unfilled()
        .changed(report(first), at)
        .changed(report(second), at)
        .changed(seen(aRefund()), at);
      const pending = settled.changed(report({ ...first, version: 3 }), at).build();
      expect(outcomes(pending)).toContainEqual(['first', 'SUCCESS', true]);
      const other = settled.changed(report({ ...second, version: 3 }), at).build();
      expect(outcomes(other)).toContainEqual(['first', 'SUCCESS', true]);
      const expired = settled.changed(report({ ...first, status: 'EXPIRED', version: 3 }), at);
      expect(outcomes(expired.build())).toEqual([
        ['first', 'EXPIRED', false],
        ['second', 'SUCCESS', true],
      ]);
      const corrected = expired
        .build()
        .withdrawals.find(({ withdrawId }) => withdrawId === 'first');
      expect(corrected?.transactionHash).toBeNull();
    });

    it('stays recorded from the chain when a withdrawal is submitted afterwards', () => {
      const payment = unfilled()
        .changed(report({ ...first, submitted: false }), at)
        .changed(seen(aRefund()), at)
        .changed(report({ ...first, version: 3 }), at)
        .build();
      expect(outcomes(payment)).toEqual([
        [ORDER_ID, 'SUCCESS', true],
        ['first', 'PENDING', false],
      ]);
    });

    it('is recorded from the chain while neither is submitted, then settles the successful one', () => {
      const told = unfilled()
        .changed(report({ ...first, submitted: false }), at)
        .changed(report({ ...second, submitted: false }), at)
        .changed(seen(aRefund()), at);
      expect(outcomes(told.build())).toEqual([
        [ORDER_ID, 'SUCCESS', true],
        ['first', 'PENDING', false],
        ['second', 'PENDING', false],
      ]);
      const expired = report({ ...first, submitted: false, status: 'EXPIRED', version: 3 });
      const after = told
        .changed(expired, at)
        .changed(report({ ...second, status: 'SUCCESS', version: 3 }), at)
        .build();
      expect(after.status).toBe('WITHDRAWN');
      expect(outcomes(after)).toEqual([
        ['first', 'EXPIRED', false],
        ['second', 'SUCCESS', true],
      ]);
      expect(after.withdrawals.find(({ withdrawId }) => withdrawId === 'second')).toMatchObject({
        submitted: true,
      });
    });

    it('returns a withdrawal to pending when its service reports another one as successful', () => {
      const payment = unfilled()
        .changed(report(first), at)
        .changed(report(second), at)
        .changed(seen(aRefund()), at)
        .changed(report({ ...second, status: 'SUCCESS', version: 3 }), at)
        .build();
      expect(outcomes(payment)).toEqual([
        ['first', 'PENDING', false],
        ['second', 'SUCCESS', true],
      ]);
    });

    it.each([
      ['the successful one is reported first', ['second', 'first']],
      ['the failed one is reported first', ['first', 'second']],
    ])('settles the withdrawal that its service reports as successful: %s', (_, order) => {
      let builder = unfilled()
        .changed(report(first), at)
        .changed(report(second), at)
        .changed(seen(aRefund()), at);
      expect(outcomes(builder.build())).toContainEqual(['first', 'SUCCESS', true]);
      for (const name of order) {
        const told =
          name === 'second'
            ? report({ ...second, status: 'SUCCESS', version: 3 })
            : report({ ...first, status: 'FAILED', version: 3, failure: 'refunded otherwise' });
        builder = builder.changed(told, at);
        const successes = outcomes(builder.build()).filter(([, status]) => status === 'SUCCESS');
        expect(successes).toHaveLength(1);
      }
      expect(outcomes(builder.build())).toEqual([
        ['first', 'FAILED', false],
        ['second', 'SUCCESS', true],
      ]);
      expect(builder.build()).toMatchObject({ status: 'WITHDRAWN', dueAt: null });
    });
  });

  it('with other terms than a withdrawal leaves that withdrawal pending', () => {
    const payment = unfilled()
      .changed(report({ recipient_address: DESTINATION }), at)
      .changed(seen(aRefund()), at)
      .build();
    expect(payment.status).toBe('WITHDRAWN');
    expect(payment.withdrawals.map(({ status, mined }) => [status, mined !== null])).toEqual([
      ['PENDING', false],
      ['SUCCESS', true],
    ]);
    const again = report({ recipient_address: DESTINATION, version: 3 });
    expect(derive(again(payment, at), at).status).toBe('WITHDRAWN');
    const failed = report({ recipient_address: DESTINATION, version: 3, status: 'FAILED' });
    expect(derive(failed(payment, at), at).status).toBe('WITHDRAWN');
  });

  it('into the wallet is not a withdrawal', () => {
    const payment = unfilled().build();
    const back = seen(aRefund({ recipient: payment.walletAddress as `0x${string}` }));
    expect(derive(back(payment, at), at).status).toBe('FAILED');
  });

  it('returns to the escrow after a reorg', () => {
    const refunded = unfilled().changed(seen(aRefund()), at).build();
    const payment = derive(
      forgetMinedWithdrawals(forgetRefunds(refunded, 'alphanet', 1_500n), 'alphanet', 1_500n, at),
      at,
    );
    expect(payment.legs[0]).toMatchObject({
      transfer: { status: 'UNFILLED', refunded: null },
      dueAt: at,
    });
    expect(payment.withdrawals[0]).toMatchObject({ mined: null, submitted: false });
    const untouched = forgetRefunds(refunded, 'alphanet', 1_501n);
    expect(untouched.legs[0]?.transfer?.status).toBe('REFUNDED');
    const elsewhere = forgetRefunds(refunded, 'betanet', 1_500n);
    expect(elsewhere.legs[0]?.transfer?.status).toBe('REFUNDED');
  });
});

describe('a withdrawal from the wallet during an order', () => {
  it('does not make the payment withdrawn while money is on another chain', () => {
    for (const across of [bridging(), bridging().changed(seen(aFill()), at)]) {
      expect(across.changed(mine(false), at).build().status).toBe('PENDING');
      expect(across.changed(mine(true), at).build().status).toBe('EXPIRED');
    }
    expect(unfilled().changed(mine(true), at).build().status).toBe('FAILED');
  });

  it('stops the next leg while it is pending, and afterwards when it accepted the blame', () => {
    const asked = bridging().changed(report({ transferId: null }), at);
    const arrived = asked.changed(seen(aFill()), at).deposited(aDelivery());
    expect(arrived.build()).toMatchObject({
      status: 'WITHDRAW_PENDING',
      legs: [{ status: 'COMPLETE' }, { status: 'PENDING', dueAt: null }],
    });
    const going = arrived.changed(report({ transferId: null, version: 3, status: 'FAILED' }), at);
    expect(startableLeg(going.build())?.index).toBe(1);
    const blamed = bridging().changed(mine(true), at).changed(seen(aFill()), at);
    expect(startableLeg(blamed.deposited(aDelivery()).build())).toBeUndefined();
  });

  it('keeps an unfilled order from failing the payment that it ended', () => {
    const payment = bridging()
      .changed(mine(true), at)
      .changed(seen({ kind: 'unfilled' }), at)
      .build();
    expect(payment).toMatchObject({ status: 'EXPIRED', legs: [{ status: 'FAILED' }, {}] });
    const refunded = derive(seen(aRefund())(payment, at), at);
    expect(refunded.status).toBe('WITHDRAWN');
  });

  it('keeps the failure of a step from the meantime when it fails', () => {
    const asked = bridging().changed(report({ transferId: null }), at);
    const failed = asked.changed(seen({ kind: 'unfilled' }), at);
    expect(failed.build().status).toBe('WITHDRAW_PENDING');
    const ended = report({ transferId: null, version: 3, status: 'FAILED' });
    expect(failed.changed(ended, at).build().status).toBe('FAILED');
  });

  it.each([
    [true, 'EXPIRED'],
    [false, 'PENDING'],
  ] as const)(
    'mined before the leg’s transfer was recorded, blamed: %s',
    (isExecutorRevoked, status) => {
      const withdrawn = aBridgedPayment().executing().changed(mine(isExecutorRevoked), at);
      expect(withdrawn.build().status).toBe('WITHDRAWN');
      const payment = withdrawn
        .changed((now) => legBridged(now, 0, aBridgedSettlement(), aTransfer(), HASH, at), at)
        .build();
      expect(payment.status).toBe(status);
      expect(payment.completedAt === null).toBe(!isExecutorRevoked);
    },
  );

  it('expires the payment when any of the withdrawals accepted the blame', () => {
    const payment = aBridgedPayment()
      .executing()
      .changed(mine(true), at)
      .changed((now) => {
        const second = now.withdrawals.map((each) => ({ ...each, nonce: 1n, acceptBlame: false }));
        return { ...now, withdrawals: [...now.withdrawals, ...second] };
      }, at)
      .changed((now) => legBridged(now, 0, aBridgedSettlement(), aTransfer(), HASH, at), at);
    expect(payment.build().status).toBe('EXPIRED');
  });

  it('ends the payment as withdrawn when it takes the delivery', () => {
    const wish = {
      chain: 'betanet',
      nonce: nonce(9n),
      withdrawId: 'from-nonce',
      acceptBlame: true,
      mined: {
        transactionHash: HASH,
        blockNumber: 70n,
        blockTimestamp: at,
        remaining: [{ token: BETA_USDC, amount: 0n, decimals: 6, usdPrice: '1' }],
      },
    };
    const payment = delivered().changed((now) => withdrawalMined(now, wish, () => aPolicy, at), at);
    expect(payment.build().status).toBe('WITHDRAWN');
  });
});
