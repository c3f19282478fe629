import { checkoutOpened, checkoutReported, checkoutRequested } from '../life-cycle/checkouts.js';
import type { PlannedOnramp, ReportedOrder } from '../life-cycle/checkouts.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { anOnrampPayment, minutesAfter, PaymentBuilder } from './a-payment.fixture.js';

/** Records that the order of an onramp payment is about to be opened. */
export const requestCheckout = (payment: PaymentRecord): PaymentRecord =>
  checkoutRequested(payment, payment.plan.funding as PlannedOnramp);

/** Records the opened order, whose page expires half an hour after the confirm. */
export const openCheckout = (payment: PaymentRecord): PaymentRecord =>
  checkoutOpened(requestCheckout(payment), {
    checkoutId: 'c1',
    url: 'https://ramp.example/c1',
    expiresAt: minutesAfter(30),
    pollAt: minutesAfter(1),
  });

const AWAITED: ReportedOrder = {
  status: 'AWAITING_PAYMENT',
  paidAt: null,
  transactionHash: null,
  failure: null,
  askedAt: minutesAfter(1),
};

/** Records an answer of the provider at the time of the question. */
export const reportOrder =
  (change: Partial<ReportedOrder> & Pick<ReportedOrder, 'askedAt'>) =>
  (payment: PaymentRecord): PaymentRecord =>
    checkoutReported(payment, { ...AWAITED, ...change }, change.askedAt);

/** An onramp's payment whose checkout is open. */
export const anOpenedPayment = (): PaymentBuilder =>
  new PaymentBuilder(openCheckout(anOnrampPayment().build()));

/** An onramp's payment whose card was charged half a minute after the confirm. */
export const aBoughtPayment = (): PaymentBuilder => {
  const paid = {
    status: 'PROCESSING',
    paidAt: minutesAfter(0.5),
    askedAt: minutesAfter(1),
  } as const;
  return anOpenedPayment().changed(reportOrder(paid), minutesAfter(1));
};
