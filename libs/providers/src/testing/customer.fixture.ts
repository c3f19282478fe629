import type { CapturingServer } from '@bascule/testing';
import { v7 as uuidv7 } from 'uuid';
import { createOnrampProviders } from '../create-onramp-providers.js';
import type {
  OnrampCheckoutRequest,
  OnrampProvider,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import { parseProviders } from '../providers-config.js';
import { MemoryTokenStore } from './memory-token-store.fixture.js';
import type { PlacedOrder } from './onramp-provider-contract.fixture.js';

/** Creates the adapter of one entry of `PROVIDERS`. */
export function adapterOf(entry: object, tokens = new MemoryTokenStore()): OnrampProvider {
  const config = parseProviders(JSON.stringify([entry]));
  const [provider] = createOnrampProviders(config, tokens).values();
  if (!provider) throw new Error('no adapter');
  return provider;
}

/** Uses a button of the customer's page of a simulated party. */
export async function press(
  button: 'begin' | 'pay' | 'decline' | 'reject',
  { url }: { url: string },
): Promise<void> {
  const page = new URL(url);
  await fetch(`${page.origin}/${button}${page.search}`, { method: 'POST', redirect: 'manual' });
}

/** Places an order as the payment service does. */
export async function placeOrder(
  provider: OnrampProvider,
  sold: OnrampQuoteRequest,
  change: Pick<OnrampCheckoutRequest, 'depositAddress'> & Partial<OnrampCheckoutRequest>,
): Promise<PlacedOrder> {
  const { providerQuoteId } = await provider.quote(sold);
  const request = { ...sold, paymentId: uuidv7(), providerQuoteId, ...change };
  const { checkoutId, url } = await provider.createCheckout(request);
  return { ...request, checkoutId, url };
}

/** Callbacks about a payment, oldest first. */
export const callbacksAbout = (partner: CapturingServer, paymentId: string) =>
  partner.requests.filter(({ body }) => body.includes(paymentId));

export async function lastCallback(partner: CapturingServer, paymentId: string) {
  const request = callbacksAbout(partner, paymentId).at(-1);
  if (!request) throw new Error('no callback yet');
  return { headers: request.headers, rawBody: request.body };
}

/** Ids of the callbacks about a payment, as the adapter reads them. */
export const callbackIds = (
  provider: OnrampProvider,
  callbacks: readonly Pick<CapturingServer['requests'][number], 'headers' | 'body'>[],
): Promise<string[]> =>
  Promise.all(
    callbacks.map(
      async ({ headers, body }) => (await provider.parseCallback(headers, body)).callbackId,
    ),
  );
