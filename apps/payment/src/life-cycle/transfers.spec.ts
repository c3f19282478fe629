import { describe, expect, it } from '@jest/globals';
import {
  aBridgedPayment,
  aBridgedSettlement,
  aDelivery,
  aFill,
  aRefund,
  aTransfer,
  BETA_USDC,
  bridging,
  delivered,
  FILL_HASH,
  ORDER_ID,
  paidOut,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { aPolicy, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { applyDeadlines } from './deadlines.js';
import { derive } from './derive.js';
import { forgetDeposits } from './funding.js';
import { legAttemptFailed, legSubmitted, legUndone, startableLeg } from './legs.js';
import type { PaymentRecord } from './payment-record.js';
import { legBridged } from './transfers.js';
import { holdings } from './wallet-ledger.js';
import { withdrawalMined } from './withdrawals.js';

const legs = (payment: PaymentRecord) => payment.legs.map(({ status }) => status);
const order = (payment: PaymentRecord) => payment.legs[0]?.transfer?.status;
const at = minutesAfter(5);

describe('a leg that bridges', () => {
  it('is polled while its transfer is open, and no other leg starts', () => {
    const payment = bridging().build();
    expect(payment).toMatchObject({ status: 'PENDING', completedAt: null });
    expect(legs(payment)).toEqual(['BRIDGING', 'PENDING']);
    expect(payment.legs.map(({ dueAt }) => dueAt)).toEqual([minutesAfter(3), null]);
    expect(startableLeg(payment)).toBeUndefined();
  });

  it('changes nothing when its receipt is recorded again', () => {
    const again = (payment: PaymentRecord) =>
      legBridged(payment, 0, aBridgedSettlement(), aTransfer(), HASH, at);
    for (const payment of [
      bridging().build(),
      delivered().build(),
      bridging()
        .changed(seen({ kind: 'unfilled' }), at)
        .build(),
    ]) {
      expect(again(payment)).toBe(payment);
    }
  });

  it.each([
    ['the bridge reports it first', ['filled', 'deposit']],
    ['the scanner finds it first', ['deposit', 'filled']],
  ] as const)('is complete once its delivery is in the wallet: %s', (_, order) => {
    let builder = bridging();
    for (const [index, fact] of order.entries()) {
      builder =
        fact === 'filled' ? builder.changed(seen(aFill()), at) : builder.deposited(aDelivery());
      expect(legs(builder.build())).toEqual([index === 0 ? 'BRIDGING' : 'COMPLETE', 'PENDING']);
    }
    expect(startableLeg(builder.build())?.index).toBe(1);
    expect(builder.build().legs[1]?.dueAt).not.toBeNull();
  });

  it('waits for the delivery to be final in the wallet', () => {
    const early = bridging()
      .changed(seen(aFill()), at)
      .deposited(aDelivery({ confirmed: false }));
    expect(legs(early.build())).toEqual(['BRIDGING', 'PENDING']);
    const other = early.deposited(aDelivery({ transactionHash: HASH }));
    expect(legs(other.build())).toEqual(['BRIDGING', 'PENDING']);
  });

  it.each([
    ['the bridge reports it last', ['deposit', 'withdrawal', 'filled']],
    ['it is final last', ['filled', 'withdrawal', 'deposit']],
    ['it is withdrawn last', ['deposit', 'filled', 'withdrawal']],
  ] as const)('leaves nothing where its owner withdraws the delivery: %s', (_, order) => {
    const withdrawn = (payment: PaymentRecord, now: Date): PaymentRecord =>
      withdrawalMined(
        payment,
        {
          ...{ chain: 'betanet', nonce: 9n, withdrawId: 'from-nonce', acceptBlame: false },
          mined: {
            ...{ transactionHash: HASH, blockNumber: 51n, blockTimestamp: now },
            remaining: [],
          },
        },
        () => aPolicy,
        now,
      );
    const facts = {
      deposit: (builder: PaymentBuilder) => builder.deposited(aDelivery()),
      filled: (builder: PaymentBuilder) => builder.changed(seen(aFill()), at),
      withdrawal: (builder: PaymentBuilder) => builder.changed(withdrawn, at),
    };
    const ended = order.reduce((builder, fact) => facts[fact](builder), bridging()).build();
    expect(ended.status).toBe('WITHDRAWN');
    expect(startableLeg(ended)).toBeUndefined();
    expect(holdings(ended)).toEqual([]);
  });

  it('completes the payment with the last leg only', () => {
    expect(delivered().build()).toMatchObject({ status: 'PENDING', completedAt: null });
    expect(paidOut().build()).toMatchObject({ status: 'COMPLETE' });
  });

  it('fails with all later legs when its order is not filled in time', () => {
    const payment = bridging()
      .changed(seen({ kind: 'unfilled' }), at)
      .build();
    expect(payment.status).toBe('FAILED');
    expect(legs(payment)).toEqual(['FAILED', 'UNREACHABLE']);
    expect(payment.legs[0]).toMatchObject({
      failure: { reason: 'bridge', message: expect.stringContaining('in time') },
      dueAt: at,
    });
    expect(payment.legs[1]?.dueAt).toBeNull();
  });

  it('stays failed when its order is filled after all', () => {
    const late = bridging()
      .changed(seen({ kind: 'unfilled' }), at)
      .changed(seen(aFill()), at)
      .deposited(aDelivery());
    expect(late.build().status).toBe('FAILED');
    expect(legs(late.build())).toEqual(['FAILED', 'UNREACHABLE']);
  });

  it('keeps its transfer when its transaction moves to another block', () => {
    const settlement = aBridgedSettlement({ blockNumber: 1_010n });
    const payment = legBridged(bridging().build(), 0, settlement, aTransfer(), HASH, at);
    expect(payment.legs[0]).toMatchObject({
      status: 'BRIDGING',
      settlement: { blockNumber: 1_010n },
      transfer: { transfer: { id: ORDER_ID }, status: 'OPEN' },
    });
  });

  it('undoes a delivery that a reorg of the destination removed', () => {
    const filled = bridging().changed(seen(aFill()), at);
    expect(order(filled.changed(seen({ kind: 'open' }), at).build())).toBe('OPEN');
    const other = aFill({ transactionHash: HASH as `0x${string}` });
    const replaced = filled.changed(seen(other), at).build();
    expect(replaced.legs[0]?.transfer?.filled?.transactionHash).toBe(HASH);
  });

  it('is bridging again when a reorg removes its delivery before it was used', () => {
    const undone = delivered().changed((now) => forgetDeposits(now, 'betanet', 50n), at);
    expect(legs(undone.build())).toEqual(['BRIDGING', 'PENDING']);
    expect(undone.build().legs.map(({ dueAt }) => dueAt)).toEqual([at, null]);
    const open = undone.changed(seen({ kind: 'open' }), at);
    expect([order(open.build()), legs(open.build())]).toEqual(['OPEN', ['BRIDGING', 'PENDING']]);
    const again = open.changed(seen(aFill({ blockNumber: 60n })), at);
    const back = again.deposited(aDelivery({ blockNumber: 60n })).build();
    expect(legs(back)).toEqual(['COMPLETE', 'PENDING']);
    expect(startableLeg(back)?.index).toBe(1);
  });

  it('fails when a reorg removes its delivery and no solver repeats it', () => {
    const undone = delivered().changed((now) => forgetDeposits(now, 'betanet', 50n), at);
    const payment = undone.changed(seen({ kind: 'unfilled' }), at).build();
    expect(payment.status).toBe('FAILED');
    expect(order(payment)).toBe('UNFILLED');
    expect(legs(payment)).toEqual(['FAILED', 'UNREACHABLE']);
    expect(payment.legs[0]).toMatchObject({ failure: { reason: 'bridge' }, dueAt: at });
  });

  it('waits for a transaction that may have used a delivery removed by a reorg', () => {
    const sent = { attempt: 1, nextLookAt: null };
    const undone = delivered()
      .changed((now) => legSubmitted(now, 1, sent), at)
      .changed((now) => forgetDeposits(now, 'betanet', 50n), at)
      .changed(seen({ kind: 'unfilled' }), at);
    expect(legs(undone.build())).toEqual(['COMPLETE', 'EXECUTING']);
    const failure = { reason: 'reverted', message: '' } as const;
    const reverted = undone.changed((now) => legAttemptFailed(now, 1, failure, at), at).build();
    expect(reverted.status).toBe('FAILED');
    expect(legs(reverted)).toEqual(['FAILED', 'UNREACHABLE']);
    const used = paidOut().changed((now) => forgetDeposits(now, 'betanet', 50n), at);
    expect(used.build().status).toBe('COMPLETE');
    expect(legs(used.build())).toEqual(['COMPLETE', 'COMPLETE']);
    expect(used.build().legs[0]?.dueAt).toEqual(at);
  });

  it('fails when the bridge released its money without a delivery', () => {
    const lost = bridging().changed(seen({ kind: 'lost' }), at);
    expect(lost.build().status).toBe('FAILED');
    expect(order(lost.build())).toBe('LOST');
    expect(legs(lost.build())).toEqual(['FAILED', 'UNREACHABLE']);
    expect(lost.build().legs.map(({ dueAt }) => dueAt)).toEqual([null, null]);
    expect(lost.build().legs[0]?.failure).toMatchObject({
      reason: 'bridge',
      message: expect.stringContaining('without a delivery'),
    });
    expect(seen({ kind: 'lost' })(lost.build(), at)).toBe(lost.build());
  });

  it.each(['open', 'unfilled', 'lost'] as const)(
    'keeps its delivery against an older answer: %s',
    (kind) => {
      const filled = bridging().changed(seen(aFill()), at).build();
      expect(seen({ kind }, ORDER_ID, 'OPEN')(filled, at)).toBe(filled);
      const inWallet = delivered().build();
      expect(seen({ kind }, ORDER_ID, 'FILLED')(inWallet, at)).toBe(inWallet);
    },
  );

  it('changes nothing when the bridge repeats its answer', () => {
    for (const [builder, status] of [
      [bridging(), { kind: 'open' }],
      [bridging(), { kind: 'unknown' }],
      [bridging().changed(seen(aFill()), at), aFill()],
      [bridging().changed(seen({ kind: 'unfilled' }), at), { kind: 'unfilled' }],
      [bridging().changed(seen(aRefund()), at), aRefund()],
    ] as const) {
      const payment = builder.build();
      expect(seen(status)(payment, at)).toBe(payment);
    }
  });

  it('replaces its transfer with the one from its transaction after a reorg', () => {
    const id = `0x${'2d'.repeat(32)}` as const;
    const settlement = aBridgedSettlement({ blockNumber: 1_010n });
    const redone = (payment: PaymentRecord) =>
      derive(legBridged(payment, 0, settlement, aTransfer({ id }), HASH, at), at);
    const payment = redone(bridging().build());
    expect(payment.legs[0]).toMatchObject({
      status: 'BRIDGING',
      settlement: { blockNumber: 1_010n },
      transfer: { transfer: { id }, status: 'OPEN' },
    });
    // An answer about the lost transfer does not apply to this one.
    expect(seen(aFill(), ORDER_ID)(payment, at)).toBe(payment);
    const filled = bridging().changed(seen(aFill()), at).build();
    expect(redone(filled).legs[0]?.transfer?.transfer.id).toBe(ORDER_ID);
    const failed = redone(
      bridging()
        .changed(seen({ kind: 'unfilled' }), at)
        .build(),
    );
    expect(failed).toMatchObject({
      status: 'FAILED',
      legs: [
        { status: 'FAILED', transfer: { status: 'OPEN' }, dueAt: at },
        { status: 'UNREACHABLE' },
      ],
    });
  });

  it('is retried when a reorg removed its transaction and that one can no longer succeed', () => {
    const failure = { reason: 'reverted', message: '' } as const;
    const payment = bridging()
      .changed((now) => legUndone(now, 0), at)
      .changed((now) => legAttemptFailed(now, 0, failure, minutesAfter(6)), at)
      .build();
    expect(payment).toMatchObject({ status: 'PENDING', fundedInFullAt: expect.any(Date) });
    expect(payment.legs[0]).toMatchObject({
      status: 'ATTEMPT_FAILED',
      settlement: null,
      transfer: null,
    });
    expect(startableLeg(payment)?.index).toBe(0);
  });

  it('delays the expiry of the declaration while its transfer is open', () => {
    const late = minutesAfter(3 * 24 * 60);
    const open = bridging().build();
    expect(applyDeadlines(open, late, late)).toBe(open);
    const unstarted = applyDeadlines(delivered().build(), late, late);
    expect(unstarted.status).toBe('FAILED');
    expect(legs(unstarted)).toEqual(['COMPLETE', 'FAILED']);
    const filled = bridging().changed(seen(aFill()), late).build();
    expect(applyDeadlines(filled, late, late)).toBe(filled);
  });

  it('records the transaction of its delivery', () => {
    expect(delivered().build().deposits.at(-1)).toMatchObject({
      token: BETA_USDC,
      transactionHash: FILL_HASH,
    });
    expect(aBridgedPayment().build().legs[0]?.transfer).toBeNull();
  });
});
