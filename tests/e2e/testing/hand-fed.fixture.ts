import type { Payment } from '@bascule/contracts';
import { expect } from '@jest/globals';
import { openCheckout } from '../../../tools/first-payment/onramp.js';
import {
  fundingPageUrl,
  getPayment,
  quoteAndConfirm,
  reaches,
} from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import { fund } from '../../../tools/first-payment/swap.js';
import { newTestUserWith, type Stage } from '../../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../../tools/first-payment/verify-completed.js';

/** Confirms a purchase and sends the tokens by hand, with its checkout open or never opened. */
export async function runHandFed(stage: Stage, isOpened: boolean): Promise<Payment> {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, '200');
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: 'usd', amount: '120' },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
    choose: (quotes) => quotes.find(({ onramp }) => onramp === 'swiftramp'),
  });
  if (isOpened) await openCheckout(fundingPageUrl(payment));
  await fund(stage, user, payment);
  await reaches(api, payment.payment_id, 'COMPLETE');
  // An open checkout is explained by the next poll of its provider.
  const explained = await until('a payment by hand', async () => {
    const found = await getPayment(api, payment.payment_id);
    return found.fulfilled.route[0]?.type === 'USER_FUND' ? found : null;
  });
  await verifyCompleted(chain, explained);
  const page = await fetch(fundingPageUrl(payment), { redirect: 'manual' });
  expect(page.status).not.toBe(303);
  return explained;
}
