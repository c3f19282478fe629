import type { Payment } from '@bascule/contracts';
import { expect } from '@jest/globals';
import type { Address } from 'viem';
import { openLink } from '../../../tools/first-payment/api.js';
import { openCheckout, payAt } from '../../../tools/first-payment/onramp.js';
import {
  depositInfo,
  fundingPageUrl,
  getPayment,
  quoteAndConfirm,
  reaches,
} from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import { fund } from '../../../tools/first-payment/swap.js';
import { newTestUserWith, type Stage } from '../../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../../tools/first-payment/verify-completed.js';

/** Confirms a purchase of an owner who holds tokens as well. */
async function confirmPurchase({ api, chain }: Stage) {
  const user = await newTestUserWith(chain, chain.token('USDC'), '200');
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: 'usd', amount: '120' },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
    choose: (quotes) => quotes.find(({ onramp }) => onramp === 'swiftramp'),
  });
  return { user, payment };
}

/** Sends the tokens of a purchase by hand, with its checkout open or never opened. */
export async function runHandFed(stage: Stage, isOpened: boolean): Promise<Payment> {
  const { api, chain } = stage;
  const { user, payment } = await confirmPurchase(stage);
  if (isOpened) await openCheckout(fundingPageUrl(payment));
  await fund(stage, user, payment);
  const completed = await reaches(api, payment.payment_id, 'COMPLETE');
  await verifyCompleted(chain, completed);
  const page = await openLink(fundingPageUrl(payment));
  expect(page.status).not.toBe(303);
  return completed;
}

/** Adds 4 USDC by hand to a purchase, before the buyer pays at the checkout. */
export async function runPartlyHandFed(
  stage: Stage,
): Promise<{ pending: Payment; completed: Payment }> {
  const { api, chain } = stage;
  const { user, payment } = await confirmPurchase(stage);
  const checkout = await openCheckout(fundingPageUrl(payment));
  const [deposit] = depositInfo(payment);
  if (!deposit) throw new Error('the payment takes no deposit');
  const { deposit_token: token, deposit_address: wallet } = deposit;
  await chain.transfer(user.owner, token, wallet as Address, await chain.units(token, '4'));
  const pending = await until('tokens by hand', async () => {
    const found = await getPayment(api, payment.payment_id);
    return found.funded ? found : null;
  });
  await payAt(checkout);
  const completed = await reaches(api, payment.payment_id, 'COMPLETE');
  await verifyCompleted(chain, completed);
  return { pending, completed };
}
