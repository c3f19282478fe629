import type { AcceptedPayment, TestPayment } from '../payments/test-payment.js';

/** Facts of a payment that verification needs. */
export interface VerifiedPayment extends Pick<TestPayment, 'scenario' | 'destination'> {
  chain: Pick<TestPayment['chain'], 'name'>;
  accepted: Pick<AcceptedPayment, 'id' | 'wallet' | 'declaration'> | null;
}

/** A payment, as findings name it. */
export const paymentLabel = ({
  scenario,
  accepted,
  chain,
}: Omit<VerifiedPayment, 'destination'>): string =>
  `${scenario} ${accepted?.id ?? 'not accepted'} on ${chain.name}:`;
