import type { Payment, Quote } from '@bascule/contracts';
import { openLink } from './api.js';
import { check, checkEqual } from './check.js';
import { fundingPageUrl, quoteAndConfirm } from './payments.js';
import { newTestUser, type Stage } from './test-user.js';
import { finish } from './swap.js';

const FIAT_AMOUNT = '120';

/** Returns the completed payments, verified against the chain. */
export async function runOnramps(stage: Stage): Promise<Payment[]> {
  if (stage.provider !== undefined) return [await runOnramp(stage, 'USDC', soldBy(stage.provider))];
  return [
    await runOnramp(stage, 'USDC', bestOf('thriftramp')),
    await runOnramp(stage, 'WETH', bestOf('swiftramp')),
  ];
}

const bestOf = (provider: string) => (quotes: Quote[]) =>
  quotes.find(({ onramp }) => onramp === provider);

function soldBy(provider: string) {
  return (quotes: Quote[]): Quote => {
    const quote = bestOf(provider)(quotes);
    if (quote) return quote;
    throw new Error(`no quote of ${provider}: \`npm run start:parties\` runs a simulated one`);
  };
}

export async function runOnramp(
  stage: Stage,
  symbol: string,
  choose: (quotes: Quote[]) => Quote | undefined,
): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  timeline.title(`onramp: ${FIAT_AMOUNT} usd to ${symbol} on ${chain.name}`);
  const { owner, destination } = newTestUser();
  const { quote, quotes, payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: 'usd', amount: FIAT_AMOUNT },
    output: chain.token(symbol),
    owner: owner.address,
    destination,
    choose,
  });
  for (const offer of quotes) {
    timeline.event(
      'offered',
      `${offer.output_amount.amount} ${symbol} by ${offer.onramp} (${offer.onramp_method}), fees ` +
        `${offer.fees.total_fees} usd, ${offer.latency_seconds} s`,
    );
  }
  checkBestFirst(quotes);
  const bought = boughtToken(quote);
  checkEqual('what is bought is USDC', bought, chain.token('USDC'));
  if (bought !== chain.token(symbol)) {
    timeline.event('route', `bought as USDC, then converted to ${symbol} by ${venueOf(quote)}`);
  }
  timeline.event('confirmed', `${quote.onramp}, payment ${payment.payment_id}`);
  timeline.holds(`its declaration makes the deposit address ${depositAddress}`);

  const checkout = await openCheckout(fundingPageUrl(payment));
  timeline.event('checkout', checkout);
  await payAt(checkout);
  timeline.event('paid by the buyer', `${FIAT_AMOUNT} usd`);
  const completed = await finish(stage, payment.payment_id, symbol);
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  timeline.event('webhook', 'WORKFLOW_COMPLETED, signed over its raw body');
  return completed;
}

/** Returns the transfer that the provider sent to the deposit address. */
const boughtToken = ({ route }: Quote): string | undefined =>
  route.find(({ type }) => type === 'ONRAMP')?.net_effect.produce[0]?.resource.asset;

function venueOf({ route }: Quote): string {
  const pieces = route.flatMap(({ pieces_info }) => pieces_info);
  const conversion = pieces.find(({ type }) => type === 'convert');
  check('the route converts', conversion !== undefined, route);
  return String(conversion?.['venue']);
}

function checkBestFirst(quotes: Quote[]): void {
  check('both providers quote', new Set(quotes.map(({ onramp }) => onramp)).size >= 2);
  const outputs = quotes.map(({ output_amount }) => Number(output_amount.amount));
  const sorted = [...outputs].sort((a, b) => b - a);
  checkEqual('the highest output comes first', outputs.join(), sorted.join());
}

/** The link needs no key; it leads to one checkout, however often it is followed. */
export async function openCheckout(fundingPage: string): Promise<string> {
  const locations: (string | null)[] = [];
  for (let visit = 0; visit < 2; visit += 1) {
    const { status, headers } = await openLink(fundingPage);
    checkEqual('the funding link redirects', status, 303);
    locations.push(headers.get('location'));
  }
  const [first, second] = locations;
  checkEqual('the checkout is created once', first, second);
  if (!first) throw new Error('the funding link did not redirect to a checkout');
  return first;
}

/** Acts as the buyer's browser: shows the page, submits its form. */
export async function payAt(checkout: string): Promise<void> {
  const page = await fetch(checkout);
  checkEqual('the checkout page shows', page.status, 200);
  const form = /<form[^>]*action="([^"]*pay(?:\?[^"]*)?)"/.exec(await page.text());
  const action = form?.[1]?.replaceAll('&amp;', '&');
  if (!action) throw new Error('the checkout page has no payment form');
  const paid = await fetch(new URL(action, checkout), { method: 'POST', redirect: 'manual' });
  checkEqual('paying leads back to the page', paid.status, 303);
}
