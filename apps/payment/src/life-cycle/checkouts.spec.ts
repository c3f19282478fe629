import { describe, expect, it } from '@jest/globals';
import { requestCheckout } from '../testing/a-checkout.fixture.js';
import { anOnrampPayment, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { checkoutOpened, checkoutReported } from './checkouts.js';
import type { ReportedOrder } from './checkouts.js';
import type { PaymentRecord } from './payment-record.js';

const unopened = () => anOnrampPayment().build();
const requested = () => requestCheckout(unopened());
const order: ReportedOrder = {
  status: 'AWAITING_PAYMENT',
  paidAt: null,
  transactionHash: null,
  failure: null,
  askedAt: minutesAfter(2),
};
const report = (change: Partial<ReportedOrder>, payment: PaymentRecord = requested()) =>
  checkoutReported(payment, { ...order, ...change }, minutesAfter(2));

describe('a checkout', () => {
  it('is recorded before its order is opened', () => {
    expect(requested().checkout).toMatchObject({ status: 'CREATED', checkoutId: null, url: null });
  });

  it('is not created by its answers', () => {
    const page = { checkoutId: 'c1', url: 'https://ramp.example/c1', expiresAt: minutesAfter(30) };
    const payment = unopened();
    expect(checkoutOpened(payment, { ...page, pollAt: minutesAfter(1) })).toBe(payment);
    expect(report({}, payment)).toBe(payment);
  });

  it('counts as paid when its order is delivered', () => {
    expect(report({ status: 'DELIVERED' }).checkout?.paidAt).toEqual(minutesAfter(2));
  });

  it('is unpaid again when the provider says so, and takes another attempt', () => {
    const pending = report({ status: 'PROCESSING' });
    expect(pending.checkout?.paidAt).toEqual(minutesAfter(2));
    const declined = report({ failure: 'declined', askedAt: minutesAfter(3) }, pending);
    expect(declined.checkout).toMatchObject({ status: 'AWAITING_PAYMENT', paidAt: null });
    const again = report({ status: 'PROCESSING', paidAt: minutesAfter(4) }, declined);
    expect(again.checkout?.paidAt).toEqual(minutesAfter(4));
    const silent = report({ status: 'UNKNOWN' }, again);
    expect(silent.checkout?.paidAt).toEqual(minutesAfter(4));
  });

  it('stays paid when the provider does not find its order once, and once it is funded', () => {
    const pending = report({ status: 'PROCESSING' });
    const lost = report({ status: 'CREATED', askedAt: minutesAfter(4) }, pending);
    expect(lost.checkout).toMatchObject({
      status: 'UNKNOWN',
      paidAt: minutesAfter(2),
      polledAt: minutesAfter(2),
    });
    const funded = { ...pending, fundedInFullAt: minutesAfter(3) };
    expect(report({}, funded).checkout?.paidAt).toEqual(minutesAfter(2));
  });

  it('was paid since the last answer before, where no time is told', () => {
    const unpaid = report({ askedAt: minutesAfter(1) });
    const paid = report({ status: 'PROCESSING', askedAt: minutesAfter(9) }, unpaid);
    expect(paid.checkout?.paidAt).toEqual(minutesAfter(1));
  });

  it('keeps its transaction and last answer when the provider no longer finds the order', () => {
    const known = report({ status: 'PROCESSING', transactionHash: HASH });
    const forgotten = report({ status: 'UNKNOWN', askedAt: minutesAfter(4) }, known);
    expect(forgotten.checkout).toMatchObject({
      status: 'UNKNOWN',
      transactionHash: HASH,
      polledAt: minutesAfter(2),
    });
  });

  it.each<Partial<ReportedOrder>>([
    { paidAt: minutesAfter(1) },
    { transactionHash: HASH },
    { failure: 'declined' },
  ])('changes with news: %j', (news) => {
    const known = report({});
    expect(report({}, known)).toBe(known);
    expect(report(news, known).checkout).toMatchObject(news);
  });
});
