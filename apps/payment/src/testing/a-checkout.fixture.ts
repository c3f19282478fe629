import { checkoutOpened, checkoutRequested } from '../life-cycle/checkouts.js';
import type { PlannedOnramp } from '../life-cycle/checkouts.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { minutesAfter } from './a-payment.fixture.js';

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
