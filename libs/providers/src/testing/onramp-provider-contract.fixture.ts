import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compareDecimals } from '@bascule/amounts';
import { v7 as uuidv7 } from 'uuid';
import type {
  CallbackHeaders,
  OnrampCheckoutRequest,
  OnrampOrder,
  OnrampOrderReference,
  OnrampProvider,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import type { ProviderAdapterName } from '../adapters.js';
import { describeChangedResponses } from './changed-responses.fixture.js';
import { describeOutages } from './outages.fixture.js';

export interface OnrampProviderHarness {
  provider: OnrampProvider;
  /** Base URL of the provider's API. */
  baseUrl: string;
  /** Creates the same adapter with a short timeout for another host. */
  providerAt(baseUrl: string, timeoutMs: number): OnrampProvider;
  /** A request well within the provider's limits. */
  sold: OnrampQuoteRequest;
  tooLow: string;
  tooHigh: string;
  notSold: OnrampQuoteRequest['token'];
  depositAddress: string;
  /**
   * Beginning of an order at the provider: its checkout, or, where a checkout is only a signed URL, the customer's first
   * step on the page.
   */
  orderedBy: 'checkout' | 'customer';
  /** Begins to pay at the checkout, as the customer. */
  begin(checkout: PlacedOrder): Promise<void>;
  /** Pays at the checkout as the customer. */
  pay(checkout: PlacedOrder): Promise<void>;
  /** Fails to pay at the checkout, such as by a declined card. */
  decline(checkout: PlacedOrder): Promise<void>;
  /** Retries until the assertion holds, or fails. */
  eventually<T>(assertion: () => Promise<T>): Promise<T>;
  /** Place of a callback's signature; a header by default. */
  signedIn?: 'header' | 'body';
  /** The last callback that the provider sent about a payment. */
  callback(paymentId: string): Promise<{ headers: CallbackHeaders; rawBody: Buffer }>;
}

const UNPAID = ['CREATED', 'AWAITING_PAYMENT'];

export interface PlacedOrder extends OnrampOrderReference {
  url: string;
}

/** Callback about another payment; where its text does not show the payment, with another letter in its middle. */
function alteredCallback(rawBody: Buffer, paymentId: string): Buffer {
  const text = rawBody.toString('utf8');
  if (text.includes(paymentId)) return Buffer.from(text.replace(paymentId, uuidv7()));
  const middle = Math.floor(text.length / 2);
  const letter = text[middle] === 'A' ? 'B' : 'A';
  return Buffer.from(text.slice(0, middle) + letter + text.slice(middle + 1));
}

/** Contract of an onramp adapter, run against a stand-in of the provider. */
export function onrampProviderContract(
  adapter: ProviderAdapterName,
  provider: string,
  start: () => Promise<OnrampProviderHarness & { stop(): Promise<void> }>,
): void {
  describe(`the onramp adapter ${adapter} for ${provider}`, () => {
    let harness: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      harness = await start();
    });
    afterAll(async () => {
      await harness.stop();
    });

    const checkoutRequest = async (): Promise<OnrampCheckoutRequest> => {
      const quote = await harness.provider.quote(harness.sold);
      return {
        ...harness.sold,
        paymentId: uuidv7(),
        providerQuoteId: quote.providerQuoteId,
        depositAddress: harness.depositAddress,
      };
    };
    const placeOrder = async (): Promise<PlacedOrder> => {
      const request = await checkoutRequest();
      const { checkoutId, url } = await harness.provider.createCheckout(request);
      return { ...request, checkoutId, url };
    };
    const delivered = (order: OnrampOrderReference): Promise<OnrampOrder> =>
      harness.eventually(async () => {
        const current = await harness.provider.status(order);
        expect(current.status).toBe('DELIVERED');
        return current;
      });

    it('lists its tokens in lower case with limits', async () => {
      const { sold, provider } = harness;
      const coverage = await provider.coverage();
      const methods = coverage.fiats.find((fiat) => fiat.code === sold.fiat)?.methods ?? [];
      const limits = methods.find((item) => item.method === sold.method);
      expect(limits).toBeDefined();
      expect(compareDecimals(limits?.min ?? '1', limits?.max ?? '0')).toBe(-1);
      expect(coverage.tokens.map(({ token }) => token)).toContain(sold.token.toLowerCase());
    });

    it('quotes more tokens for more money, and fees below the amount', async () => {
      const { sold, provider } = harness;
      const quote = await provider.quote(sold);
      const double = await provider.quote({
        ...sold,
        fiatAmount: String(Number(sold.fiatAmount) * 2),
      });
      expect(quote.deliveryAmount).toBeGreaterThan(0n);
      expect(double.deliveryAmount).toBeGreaterThan(quote.deliveryAmount);
      expect(compareDecimals(quote.fees.total, sold.fiatAmount)).toBe(-1);
      expect(quote.latencySeconds).toBeGreaterThan(0);
    });

    it.each([
      ['tooLow', 'TOO_LOW'],
      ['tooHigh', 'TOO_HIGH'],
    ] as const)('refuses an amount that is %s with its limits', async (amount, reason) => {
      const { sold, provider, [amount]: fiatAmount } = harness;
      const { limits } = await provider.quote(sold);
      await expect(provider.quote({ ...sold, fiatAmount })).rejects.toMatchObject({
        code: 'amount',
        retryable: false,
        issues: [{ kind: 'amount', asset: sold.fiat, given: fiatAmount, reason, limits }],
      });
    });

    it('refuses a token that it does not sell', async () => {
      const { sold, provider, notSold } = harness;
      await expect(provider.quote({ ...sold, token: notSold })).rejects.toMatchObject({
        code: 'unsupported',
        retryable: false,
      });
    });

    it('opens one checkout per payment, also for repeated and concurrent requests', async () => {
      const request = await checkoutRequest();
      const checkouts = await Promise.all(
        [1, 2, 3].map(() => harness.provider.createCheckout(request)),
      );
      const again = await harness.provider.createCheckout(request);
      expect(new Set([...checkouts, again].map((checkout) => checkout.checkoutId)).size).toBe(1);
      expect(new URL(again.url).protocol).toMatch(/^https?:$/);
      expect(again.expiresAt.getTime()).toBeGreaterThan(Date.now());
    });

    it('never takes money for a payment at a checkout with changed terms', async () => {
      const request = await checkoutRequest();
      await harness.provider.createCheckout(request);
      const depositAddress = '0x00000000000000000000000000000000000000aa';
      const changed = harness.provider.createCheckout({ ...request, depositAddress });
      const outcomes = {
        checkout: () => changed.catch((error: unknown) => error),
        // What is bought for another address is not the payment's.
        customer: async () => {
          const { url, checkoutId } = await changed;
          await harness.pay({ ...request, depositAddress, checkoutId, url });
          return harness.provider.status({ ...request, checkoutId });
        },
      };
      expect(await outcomes[harness.orderedBy]()).toMatchObject(
        {
          checkout: { name: 'ProviderError', retryable: false },
          customer: { status: 'CREATED' },
        }[harness.orderedBy],
      );
    });

    it('refuses a quote of another provider at the checkout', async () => {
      const request = { ...(await checkoutRequest()), providerQuoteId: 'of another provider' };
      await expect(harness.provider.createCheckout(request)).rejects.toMatchObject({
        name: 'ProviderError',
        retryable: false,
      });
    });

    it('returns no order that was never placed', async () => {
      const never = { ...(await placeOrder()), paymentId: uuidv7() };
      const status = { checkout: 'UNKNOWN', customer: 'CREATED' }[harness.orderedBy];
      expect(await harness.provider.status(never)).toEqual({ status });
    });

    it('reports an order as unpaid, then as delivered with its transaction', async () => {
      const order = await placeOrder();
      const placed = await harness.provider.status(order);
      expect(UNPAID).toContain(placed.status);
      await harness.begin(order);
      const unpaid = await harness.provider.status(order);
      expect(UNPAID).toContain(unpaid.status);
      expect(unpaid.paidAt).toBeUndefined();
      await harness.pay(order);
      const { transactionHash, deliveredAmount } = await delivered(order);
      expect(transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(deliveredAmount).toBeGreaterThan(0n);
    });

    it('reports a payment that failed as unpaid or failed, with its reason', async () => {
      const order = await placeOrder();
      await harness.decline(order);
      const declined = await harness.eventually(async () => {
        const current = await harness.provider.status(order);
        expect(current.reason).toMatch(/\w/);
        return current;
      });
      expect([...UNPAID, 'FAILED']).toContain(declined.status);
      expect(declined.paidAt).toBeUndefined();
    });

    it('takes no order with another address or token for the payment’s', async () => {
      const order = await placeOrder();
      await harness.pay(order);
      await delivered(order);
      const depositAddress = '0x00000000000000000000000000000000000000aa';
      const elsewhere = harness.provider
        .status({ ...order, depositAddress })
        .catch((error: unknown) => error);
      expect(await elsewhere).toMatchObject(
        { checkout: { code: 'mismatch' }, customer: { status: 'CREATED' } }[harness.orderedBy],
      );
      const asAnother = harness.provider.status({ ...order, token: harness.notSold });
      await expect(asAnother).rejects.toMatchObject({ code: 'mismatch' });
    });

    it('accepts only callbacks signed by the provider', async () => {
      const order = await placeOrder();
      await harness.pay(order);
      const { headers, rawBody } = await harness.eventually(() =>
        harness.callback(order.paymentId),
      );
      const { paymentId } = await harness.provider.parseCallback(headers, rawBody);
      expect(paymentId).toBe(order.paymentId);
      const unsigned: [CallbackHeaders, Buffer][] =
        harness.signedIn === 'body' ? [] : [[{}, rawBody]];
      for (const [given, body] of [
        [headers, alteredCallback(rawBody, order.paymentId)] as const,
        [headers, Buffer.from('not json')] as const,
        ...unsigned,
      ]) {
        await expect(harness.provider.parseCallback(given, body)).rejects.toMatchObject({
          code: 'bad_signature',
        });
      }
    });

    describeChangedResponses(
      () => harness,
      async () => {
        const order = await placeOrder();
        await harness.pay(order);
        const { status } = await delivered(order);
        return { order, status };
      },
    );

    describeOutages(() => harness);
  });
}
