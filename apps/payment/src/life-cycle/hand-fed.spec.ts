import { describe, expect, it } from '@jest/globals';
import { aBoughtPayment, anOpenedPayment, reportOrder } from '../testing/a-checkout.fixture.js';
import {
  anOnrampPayment,
  aPayment,
  aPolicy,
  HASH,
  minutesAfter,
} from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { paymentView } from '../view/payment-view.js';
import { checkoutReported, nextPoll } from './checkouts.js';
import { applyDeadlines } from './deadlines.js';
import { fulfilledFees } from './fulfilled-fees.js';
import { fulfilledRoute } from './fulfilled.js';
import { forgetDeposits } from './funding.js';
import { isFundingUnexplained, isHandFed } from './hand-fed.js';
import type { PaymentRecord } from './payment-record.js';

/** After the deposit of the builder, which funds the payment a minute after its confirm. */
const asked = { askedAt: minutesAfter(2) };
const fundedByHand = (): PaymentRecord =>
  anOpenedPayment().deposited().changed(reportOrder(asked), minutesAfter(2)).build();
const view = (payment: PaymentRecord) =>
  paymentView(payment, { policy: aPolicy, now: minutesAfter(4), enableWithdrawPending: false });

describe('a payment of an onramp', () => {
  it('is funded by hand when its checkout was never opened', () => {
    expect(isHandFed(anOnrampPayment().deposited().build())).toBe(true);
  });

  it('is funded by hand once the provider says after the funding that nothing was paid', () => {
    const funded = anOpenedPayment().deposited();
    expect(isHandFed(funded.build())).toBe(false);
    expect(isFundingUnexplained(funded.build())).toBe(true);
    const early = funded.changed(reportOrder({ askedAt: minutesAfter(1) }), minutesAfter(2));
    expect(isHandFed(early.build())).toBe(false);
    expect(isHandFed(fundedByHand())).toBe(true);
    expect(isFundingUnexplained(fundedByHand())).toBe(false);
  });

  it.each(['FAILED', 'REFUNDED'] as const)('is funded by hand when the order is %s', (status) => {
    const payment = anOpenedPayment()
      .deposited()
      .changed(reportOrder({ ...asked, status }), minutesAfter(2));
    expect(isHandFed(payment.build())).toBe(true);
  });

  it('is bought when the provider was paid, or has made a deposit', () => {
    expect(isHandFed(aBoughtPayment().deposited().build())).toBe(false);
    const delivered = anOpenedPayment()
      .deposited({ transactionHash: HASH })
      .changed(
        reportOrder({
          ...asked,
          status: 'DELIVERED',
          transactionHash: HASH.toUpperCase().replace('X', 'x'),
        }),
        minutesAfter(2),
      );
    expect(isHandFed(delivered.build())).toBe(false);
    const returned = delivered.changed(
      reportOrder({ askedAt: minutesAfter(3), status: 'REFUNDED' }),
      minutesAfter(3),
    );
    expect(isHandFed(returned.build())).toBe(false);
  });

  it('is undecided while it is open and not funded in full', () => {
    expect(isHandFed(anOnrampPayment().deposited({ amount: 1n }).build())).toBe(false);
    expect(isHandFed(anOnrampPayment().build())).toBe(false);
  });

  it('ends with what was sent by hand when it was too little', () => {
    const expired = applyDeadlines(
      anOnrampPayment().deposited({ amount: 1n }).build(),
      minutesAfter(11),
      minutesAfter(11),
    );
    expect(expired.status).toBe('EXPIRED');
    expect(fulfilledRoute(expired)[0]).toMatchObject({ type: 'USER_FUND', status: 'FAILED' });
  });

  it('is decided anew after a reorg', () => {
    const forgotten = forgetDeposits(fundedByHand(), 'alphanet', 1n);
    expect(isHandFed(forgotten)).toBe(false);
  });
});

describe('a payment that tokens fund', () => {
  it('is not an onramp funded by hand', () => {
    expect(isHandFed(aPayment().deposited().build())).toBe(false);
  });
});

describe('a payment funded by hand', () => {
  it('shows a USER_FUND step, no ramp and the deposits on both sides', () => {
    const payment = anOnrampPayment().complete().build();
    const [funding, leg] = fulfilledRoute(payment);
    const entry = { resource: { asset: USDC, property: 'BALANCE' }, amount: '100' };
    expect(funding).toMatchObject({
      type: 'USER_FUND',
      status: 'COMPLETE',
      pieces_info: [{ type: 'user_fund' }],
      net_effect: {
        consume: [{ account: 'USER', ...entry }],
        produce: [{ account: 'SPW', ...entry }],
      },
    });
    expect(leg?.type).toBe('ONCHAIN_STEP');
    const { fulfilled, quoted } = view(payment);
    expect(fulfilled).not.toHaveProperty('onramp');
    expect(fulfilled).not.toHaveProperty('onramp_method');
    expect(quoted).toMatchObject({ onramp: 'swiftramp', onramp_method: 'CREDIT_CARD' });
    expect(quoted.route[0]?.type).toBe('ONRAMP');
  });

  it('has the fees of the same payment in tokens', () => {
    const fees = fulfilledFees(anOnrampPayment().complete().build());
    expect(fees).toEqual(fulfilledFees(aPayment().complete().build()));
    expect(fees.total_fees).not.toBe(fulfilledFees(aBoughtPayment().complete().build()).total_fees);
  });

  it('stays so when the checkout is paid later', () => {
    const payment = fundedByHand();
    const order = {
      status: 'DELIVERED',
      paidAt: minutesAfter(3),
      transactionHash: HASH,
      failure: null,
      askedAt: minutesAfter(3),
    } as const;
    expect(checkoutReported(payment, order, minutesAfter(3))).toBe(payment);
  });

  it('changes once, with the answer that decides it', () => {
    const funded = anOpenedPayment()
      .changed(reportOrder({ askedAt: minutesAfter(0.5) }), minutesAfter(0.5))
      .deposited()
      .build();
    const decided = reportOrder(asked)(funded);
    expect(decided).not.toBe(funded);
    expect(decided.checkout).toMatchObject({ status: 'AWAITING_PAYMENT', paidAt: null });
    expect(reportOrder({ askedAt: minutesAfter(3) })(decided)).toBe(decided);
  });
});

describe('the polls of an order after the funding', () => {
  const at = (payment: PaymentRecord, minutes: number) =>
    nextPoll(payment, minutesAfter(minutes), 5_000)?.getTime();

  it('go on at growing intervals until an answer explains the funding', () => {
    const funded = anOpenedPayment().deposited().build();
    expect(at(funded, 1)).toBe(minutesAfter(1).getTime() + 5_000);
    expect(at(funded, 21)).toBe(minutesAfter(41).getTime());
    expect(at({ ...funded, status: 'COMPLETE' }, 3)).toBe(minutesAfter(5).getTime());
    expect(at(funded, 15 * 24 * 60)).toBeUndefined();
  });

  it('end when it was by hand, bought, or without a checkout', () => {
    expect(at(fundedByHand(), 3)).toBeUndefined();
    expect(at(aBoughtPayment().deposited().build(), 3)).toBeUndefined();
    expect(at(anOnrampPayment().deposited().build(), 3)).toBeUndefined();
  });
});
