import type { Quote } from '@bascule/contracts';
import { openLink } from '../../../tools/first-payment/api.js';
import { check } from '../../../tools/first-payment/check.js';
import { fundingPageUrl } from '../../../tools/first-payment/payments.js';
import { causeOf, isTransient, retryUntilAnswered } from '../client/retrying-api.js';
import { ContractViolation } from '../../schemas/contract-violation.js';
import type { TestPayment } from './test-payment.js';
import { endsCompleteOrUndelivered, order } from './steps.js';

const TIMEOUT_MS = 20_000;

export async function runOnramp(payment: TestPayment): Promise<void> {
  const { random, chain } = payment;
  const provider = random.pick(['swiftramp', 'thriftramp']);
  const { payment: created } = await order(payment, {
    // Both providers take cards for that much.
    input: { asset: 'usd', amount: random.between(60, 200).toFixed(2) },
    output: chain.token(random.pick(['USDC', 'WETH'])),
    choose: (quotes: Quote[]) => quotes.find(({ onramp }) => onramp === provider),
  });
  const fundingPage = fundingPageUrl(created);
  const checkout = await checkoutOf(fundingPage);
  check('the checkout is created once', checkout === (await checkoutOf(fundingPage)), created);
  await pay(checkout);
  await endsCompleteOrUndelivered(payment);
}

async function checkoutOf(fundingPage: string): Promise<string> {
  const { headers, status } = await answered('the funding link', (signal) =>
    openLink(fundingPage, signal),
  );
  const location = headers.get('location');
  if (status !== 303 || location === null) throw new Error(`the funding link answered ${status}`);
  return location;
}

/** Pays as a buyer's browser does, and reloads the page when a click got no response. */
async function pay(checkout: string): Promise<void> {
  await retryUntilAnswered('paying at the provider', async () => {
    const page = await browse(checkout);
    const action = /<form[^>]*action="([^"]*pay)"/.exec(await page.text())?.[1];
    if (action === undefined) return page;
    const paid = await browse(new URL(action, checkout).href, 'POST');
    return paid.status === 303 ? paid : `the click answered ${paid.status}`;
  });
}

const browse = (url: string, method = 'GET'): Promise<Response> =>
  answered(`${method} ${new URL(url).pathname}`, (signal) =>
    fetch(url, { method, redirect: 'manual', signal }),
  );

function answered<T extends { status: number }>(
  what: string,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return retryUntilAnswered(what, async () => {
    try {
      const answer = await ask(AbortSignal.timeout(TIMEOUT_MS));
      return isTransient(answer.status) ? `it answered ${answer.status}` : answer;
    } catch (error) {
      if (error instanceof ContractViolation) throw error;
      return causeOf(error);
    }
  });
}
