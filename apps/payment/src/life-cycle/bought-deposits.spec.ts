import { describe, expect, it } from '@jest/globals';
import { aBoughtPayment, anOpenedPayment, reportOrder } from '../testing/a-checkout.fixture.js';
import {
  anOnrampPayment,
  aPayment,
  aPolicy,
  minutesAfter,
  type PaymentBuilder,
} from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { paymentView } from '../view/payment-view.js';
import { depositOrigins, isHandFed } from './bought-deposits.js';
import { applyDeadlines } from './deadlines.js';
import { forgetDeposits } from './funding.js';
import type { Deposit } from './payment-record.js';

const HAND = `0x${'e'.repeat(64)}`;
const DELIVERY = `0x${'d'.repeat(64)}`;

/** Tokens that a stranger sends, in a block before the delivery. */
const byHand = (amount: bigint): Partial<Deposit> => ({
  amount,
  transactionHash: HAND,
  blockNumber: 10n,
});
const delivery: Partial<Deposit> = { transactionHash: DELIVERY, blockNumber: 12n };

/** Records that the card was charged; the provider has not named its transaction. */
const charged = (builder: PaymentBuilder, paidAt: Date): PaymentBuilder =>
  builder.changed(reportOrder({ status: 'PROCESSING', paidAt, askedAt: paidAt }), paidAt);
/** Records the transaction by which the provider delivered. */
const named = (builder: PaymentBuilder, transactionHash = DELIVERY): PaymentBuilder =>
  builder.changed(
    reportOrder({
      status: 'DELIVERED',
      paidAt: minutesAfter(0.5),
      transactionHash,
      askedAt: minutesAfter(4),
    }),
    minutesAfter(4),
  );

const fulfilledOf = (builder: PaymentBuilder) =>
  paymentView(builder.build(), {
    policyOn: () => aPolicy,
    now: minutesAfter(5),
    enableWithdrawPending: false,
  }).fulfilled;

/** Steps as `type:status`, with the changes of those that fund. */
const funding = (builder: PaymentBuilder) =>
  fulfilledOf(builder)
    .route.filter(({ type }) => type !== 'ONCHAIN_STEP')
    .map(({ type, status, net_effect }) => ({
      step: `${type}:${status}`,
      consume: net_effect.consume.map(
        ({ account, resource, amount }) =>
          `${account} ${amount} ${resource.asset === USDC ? 'USDC' : resource.asset}`,
      ),
      produce: net_effect.produce.map(({ account, amount, tx_id }) =>
        `${account} ${amount} ${tx_id ?? ''}`.trim(),
      ),
    }));
const userFund = (amount: string, status = 'COMPLETE') => ({
  step: `USER_FUND:${status}`,
  consume: [`USER ${amount} USDC`],
  produce: [`SPW ${amount} ${HAND}`],
});
const onramp = { step: 'ONRAMP:COMPLETE', consume: ['USER 103 usd'] };
const awaitedOnramp = { ...onramp, step: 'ONRAMP:PENDING', produce: ['SPW 100'] };

describe('tokens sent by hand to an onramp’s wallet', () => {
  it.each([
    ['its checkout is open', anOpenedPayment()],
    ['its checkout is paid', aBoughtPayment()],
  ])('are a step before the delivery while %s', (_what, payment) => {
    expect(funding(payment.deposited(byHand(50_000_000n)))).toEqual([
      userFund('50'),
      awaitedOnramp,
    ]);
  });

  it.each([
    {
      sent: '4',
      settled: { input: 103_000_000n, output: 34_200_000_000_000_000n },
      // 103 of fiat and 4 by hand, less 102.6 of output.
      fees: { total_fees: '4.4', conversion_fees: '3.4', network_fees: '1' },
    },
    {
      sent: '50',
      settled: { input: 104_000_000n, output: 34_500_000_000_000_000n },
      // 103 of fiat and the 5 by hand that the leg took, less 103.5 of output.
      fees: { total_fees: '4.5', conversion_fees: '3.5', network_fees: '1' },
    },
  ])('count as input beside the delivery: $sent USDC', ({ sent, settled, fees }) => {
    const paid = aBoughtPayment()
      .deposited(byHand(BigInt(sent) * 1_000_000n))
      .deposited(delivery)
      .paidOut(settled);
    // Without a name, the delivery is told apart by its amount.
    for (const payment of [paid, named(paid)]) {
      expect(funding(payment)).toEqual([
        userFund(sent),
        { ...onramp, produce: [`SPW 100 ${DELIVERY}`] },
      ]);
      const { route, fees: shown, onramp: provider } = fulfilledOf(payment);
      expect(route.map(({ step_index }) => step_index)).toEqual([0, 1, 2]);
      expect(shown).toMatchObject(fees);
      expect(provider).toBe('swiftramp');
    }
  });

  it('add to a delivery that is too small', () => {
    const payment = aBoughtPayment()
      .deposited(byHand(50_000_000n))
      .deposited({ ...delivery, amount: 60_000_000n });
    expect(funding(payment)).toMatchObject([
      { step: 'USER_FUND:COMPLETE', produce: [expect.any(String), expect.any(String)] },
    ]);
    expect(funding(named(payment))).toEqual([
      userFund('50'),
      { ...onramp, produce: [`SPW 60 ${DELIVERY}`] },
    ]);
  });

  it('are no delivery when they are worth more than the fiat', () => {
    const payment = aBoughtPayment().deposited(byHand(104_000_000n));
    expect(funding(payment)).toEqual([userFund('104')]);
  });

  it('are no second delivery in the block of the first', () => {
    const payment = aBoughtPayment()
      .deposited({ ...delivery, blockNumber: 10n })
      .deposited(byHand(100_000_000n));
    const steps = [userFund('100'), { ...onramp, produce: [`SPW 100 ${DELIVERY}`] }];
    expect(funding(payment)).toEqual(steps);
    expect(funding(named(payment))).toEqual(steps);
  });

  it('end the payment when they are too little', () => {
    const closedAt = (builder: PaymentBuilder, time: Date) =>
      builder.deposited(byHand(1n)).changed((payment) => applyDeadlines(payment, time, time), time);
    const expired = closedAt(anOnrampPayment(), minutesAfter(11));
    expect(expired.build().status).toBe('EXPIRED');
    expect(funding(expired)).toEqual([userFund('0.000001', 'FAILED')]);
    const undelivered = closedAt(aBoughtPayment(), minutesAfter(15 * 24 * 60));
    expect(undelivered.build().status).toBe('FAILED');
    expect(funding(undelivered)).toEqual([
      userFund('0.000001'),
      { ...awaitedOnramp, step: 'ONRAMP:FAILED' },
    ]);
    expect(fulfilledOf(undelivered).route.at(-1)?.status).toBe('UNREACHABLE');
  });
});

describe('a payment of an onramp that tokens fund in full', () => {
  const tokenFees = fulfilledOf(aPayment().complete()).fees;
  const expectByHand = (builder: PaymentBuilder) => {
    expect(isHandFed(builder.build())).toBe(true);
    const { route, fees, ...fulfilled } = fulfilledOf(builder);
    expect(route.map(({ type }) => type)).toEqual(['USER_FUND', 'ONCHAIN_STEP']);
    expect(fees).toEqual(tokenFees);
    expect(fulfilled).not.toHaveProperty('onramp');
    expect(fulfilled).not.toHaveProperty('onramp_method');
  };

  it.each([
    ['was never opened', anOnrampPayment()],
    ['is open', anOpenedPayment()],
  ])('has no ramp and no ramp fees when its checkout %s', (_what, payment) => {
    expectByHand(payment.complete());
  });

  it.each(['FAILED', 'REFUNDED'] as const)('has no ramp once its order is %s', (status) => {
    expectByHand(
      aBoughtPayment()
        .complete()
        .changed(reportOrder({ status, askedAt: minutesAfter(4) }), minutesAfter(4)),
    );
  });

  it('remains so when the checkout is paid and delivered later', () => {
    const complete = anOpenedPayment().deposited(byHand(100_000_000n)).paidOut();
    expectByHand(complete);
    const paid = charged(complete, minutesAfter(3.5));
    expect(paid.build().checkout?.paidAt).toEqual(minutesAfter(3.5));
    expectByHand(paid);
    const late = paid.deposited({ ...delivery, blockTimestamp: minutesAfter(4) });
    expectByHand(late);
    expectByHand(named(late));
    expect(named(late).build().checkout?.transactionHash).toBe(DELIVERY);
  });

  it('remains so when the checkout was paid before, and delivered later', () => {
    const complete = aBoughtPayment().deposited(byHand(100_000_000n)).paidOut();
    expectByHand(named(complete));
    expectByHand(named(complete.deposited(delivery)));
  });

  it('is bought when money given back had been delivered', () => {
    const refunded = named(aBoughtPayment().deposited(delivery)).changed(
      reportOrder({ status: 'REFUNDED', askedAt: minutesAfter(5) }),
      minutesAfter(5),
    );
    expect(isHandFed(refunded.build())).toBe(false);
  });

  it('is decided anew after a reorg', () => {
    const funded = anOnrampPayment().deposited().build();
    expect(isHandFed(funded)).toBe(true);
    expect(isHandFed(forgetDeposits(funded, 'alphanet', 1n))).toBe(false);
  });
});

describe('the origin of a deposit', () => {
  const bought = (builder: PaymentBuilder): string[] =>
    depositOrigins(builder.build()).bought.map(({ transactionHash }) => transactionHash);

  it('is the onramp when its order names the transaction, in any letter case', () => {
    const delivered = anOpenedPayment().deposited(delivery);
    expect(bought(delivered)).toEqual([]);
    expect(bought(named(delivered, `0x${'D'.repeat(64)}`))).toEqual([DELIVERY]);
    expect(bought(named(delivered, HAND))).toEqual([]);
  });

  it('is the onramp without a name when the checkout was paid by the full funding', () => {
    const delivered = anOpenedPayment().deposited(delivery);
    expect(bought(charged(delivered, minutesAfter(1)))).toEqual([DELIVERY]);
    expect(bought(charged(delivered, minutesAfter(1.01)))).toEqual([]);
  });

  it('is nobody’s but the sender’s without an onramp', () => {
    const { bought, sent } = depositOrigins(aPayment().deposited(byHand(1n)).build());
    expect({ bought, sent }).toMatchObject({ bought: [], sent: [{ transactionHash: HAND }] });
    expect(isHandFed(aPayment().deposited().build())).toBe(false);
  });
});
