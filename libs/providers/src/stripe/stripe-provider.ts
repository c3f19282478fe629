import { compareDecimals, formatAmount, formatDecimal, subDecimals } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { JsonResponse } from '@bascule/json-client';
import type {
  CallbackHeaders,
  OnrampCallback,
  OnrampCheckout,
  OnrampCheckoutRequest,
  OnrampCoverage,
  OnrampLimits,
  OnrampMethodLimits,
  OnrampOrder,
  OnrampOrderReference,
  OnrampProvider,
  OnrampQuote,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import type { ProviderAdapter } from '../wire/provider-adapter.js';
import type { ProviderConnection } from '../port/provider-connection.js';
import { providerError } from '../port/provider-error.js';
import { amountRefusal } from '../wire/amount-refusal.js';
import { JsonObject } from '../wire/json-object.js';
import { KeptAnswers } from '../wire/kept-answers.js';
import { ProviderClient } from '../wire/provider-client.js';
import { requireSignature } from '../wire/signed-callback.js';
import { METHODS } from './payment-methods.js';
import { parseQuoteId, quoteId, type QuotedPurchase } from './quote-id.js';
import { findItem, isOfAmount, readItem, type StripeQuote } from './quotes.js';
import { refusal } from './refusals.js';
import { deliversTo, isSmaller, paymentIdOf, readOrder } from './sessions.js';
import { readStripeSettings, type SoldToken, type StripeSettings } from './stripe-settings.js';
import { quoteForTotal } from './total-quote.js';

const SIGNATURE_HEADER = 'stripe-signature';
const SESSIONS = 'v1/crypto/onramp_sessions';
/** Stripe's documentation has both. */
const QUOTE_PATHS = ['v1/crypto/onramp/quotes', 'v1/crypto/onramp_quotes'] as const;
/** Stripe's guide has both. */
const EVENT_TYPES: ReadonlySet<string> = new Set([
  'crypto.onramp_session.updated',
  'crypto.onramp_session_updated',
]);
/**
 * Longer than a payment waits: Stripe tells no expiry, and forgets an idempotency key after a day, so that a later
 * request would open a second order.
 */
const CHECKOUT_TTL_MS = 30 * 24 * 60 * 60_000;

export const stripe: ProviderAdapter = (entry) => {
  const settings = readStripeSettings(entry);
  return (connection) => new StripeProvider(connection, settings);
};

/** Facts on which a quote of Stripe depends: not the method of payment. */
type AskedQuote = Pick<OnrampQuoteRequest, 'fiat' | 'fiatAmount' | 'token' | 'tokenDecimals'>;

const inner = (item: JsonObject | undefined, name: string): JsonObject | undefined =>
  item?.has(name) === true ? item.object(name) : undefined;

/** Adapter of Stripe's crypto onramp with its hosted page. */
class StripeProvider implements OnrampProvider {
  readonly name: string;
  private readonly client: ProviderClient;
  private readonly totals: KeptAnswers<StripeQuote>;
  /** Paths of quotes, the one that works first. */
  private quotePaths: readonly string[] = QUOTE_PATHS;

  constructor(
    connection: ProviderConnection,
    private readonly settings: StripeSettings,
  ) {
    this.name = connection.name;
    this.totals = KeptAnswers.quotes(this.name, (asked) =>
      this.quoteTotal(JSON.parse(asked) as AskedQuote),
    );
    const { apiVersion } = settings;
    this.client = new ProviderClient(connection, {
      headers: {
        authorization: `Bearer ${connection.apiKey}`,
        ...(apiVersion !== undefined && { 'stripe-version': apiVersion }),
      },
    });
  }

  /** Returns the configured currencies and tokens for which Stripe has quotes now. */
  async coverage(signal?: AbortSignal): Promise<OnrampCoverage> {
    const { limits, tokens, places } = this.settings;
    const offers = await Promise.all(
      [...limits].map(async ([fiat, bounds]) => ({
        code: fiat,
        bounds,
        sold: await this.quotedTokens(fiat, signal),
      })),
    );
    return {
      fiats: offers
        .filter(({ sold }) => sold.length > 0)
        .map(({ code, bounds }) => ({ code, methods: this.methodsFor(code, bounds) })),
      tokens: tokens
        .filter((token) => offers.some(({ sold }) => sold.includes(token)))
        .map(({ token, places: ofToken }) => ({ token, ...(ofToken && { places: ofToken }) })),
      places,
    };
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const sold = this.soldToken(request.token);
    if (!sold) throw this.unsupported(`${request.token} is not sold`);
    const { latencySeconds } = METHODS.of(this.name, this.settings.methods, request);
    const limits = this.limitsOf(request.fiat);
    const outside = amountRefusal(this.name, request, limits);
    if (outside) throw outside;
    const { fiat, fiatAmount, token, tokenDecimals } = request;
    const asked: AskedQuote = { fiat: fiat.toLowerCase(), fiatAmount, token, tokenDecimals };
    const { deliveryAmount, sourceAmount } = await this.totals.get(JSON.stringify(asked), signal);
    return {
      providerQuoteId: quoteId({
        ...sold,
        amount: formatAmount(deliveryAmount, request.tokenDecimals),
      }),
      deliveryAmount,
      fees: { total: formatDecimal(subDecimals(request.fiatAmount, sourceAmount)) },
      latencySeconds,
      limits,
    };
  }

  async createCheckout(
    request: OnrampCheckoutRequest,
    signal?: AbortSignal,
  ): Promise<OnrampCheckout> {
    const { paymentId, fiat, fiatAmount } = request;
    const limits = this.limitsOf(fiat);
    const purchase = this.purchaseOf(request);
    const form = this.sessionForm(request, purchase);
    const response = await this.client.post(SESSIONS, form, signal, {
      'idempotency-key': paymentId,
    });
    return this.client.read(() => {
      if (response.status !== 200) {
        throw refusal(this.name, response, { fiat, fiatAmount, limits });
      }
      const session = JsonObject.of(response.body);
      const details = session.object('transaction_details');
      if (
        paymentIdOf(session) !== paymentId ||
        !deliversTo(session, { ...request, pair: purchase }) ||
        compareDecimals(details.decimal('destination_amount'), purchase.amount) !== 0 ||
        details.string('source_currency').toLowerCase() !== fiat.toLowerCase()
      ) {
        throw this.mismatch('answered for another order, amount, asset or address');
      }
      return {
        checkoutId: session.string('id'),
        url: session.httpUrl('redirect_url'),
        expiresAt: new Date(Date.now() + CHECKOUT_TTL_MS),
      };
    });
  }

  async status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const path = `${SESSIONS}/${encodeURIComponent(order.checkoutId)}`;
    const response = await this.client.get(path, signal);
    // Unknown to the provider: no conclusion is possible.
    if (response.status === 404) return { status: 'UNKNOWN' };
    return this.client.read(() => {
      if (response.status !== 200) throw refusal(this.name, response);
      const session = JsonObject.of(response.body);
      // The session of another payment: this one has no order.
      if (paymentIdOf(session) !== order.paymentId) return { status: 'UNKNOWN' };
      const pair = this.soldToken(order.token);
      if (
        session.string('id') !== order.checkoutId ||
        !pair ||
        !deliversTo(session, { ...order, pair })
      ) {
        throw this.mismatch('the order is not the one that was placed');
      }
      // The customer can change the amount on Stripe's page: a much smaller purchase is not the order's.
      if (isSmaller(session)) return { status: 'CREATED' };
      return readOrder(session, order.tokenDecimals);
    });
  }

  async parseCallback(headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback> {
    const header = headers[SIGNATURE_HEADER];
    requireSignature(this.name, this.settings.callbackKey, { header, scheme: 'v1', rawBody });
    return this.client.read(() => {
      const event = JsonObject.parse(rawBody, 'callback');
      // Events about other products may arrive at the same URL.
      const session = EVENT_TYPES.has(event.string('type'))
        ? inner(inner(event, 'data'), 'object')
        : undefined;
      return {
        callbackId: event.string('id'),
        paymentId: (session && paymentIdOf(session)) ?? null,
      };
    });
  }

  /** Asks for quotes of all tokens for Stripe's default amount. */
  private async quotedTokens(fiat: string, signal?: AbortSignal): Promise<SoldToken[]> {
    const response = await this.getQuotes([['source_currency', fiat]], signal);
    return this.client.read(() => {
      if (response.status !== 200) throw refusal(this.name, response);
      const answer = JsonObject.of(response.body);
      return this.settings.tokens.filter((token) => findItem(answer, token) !== undefined);
    });
  }

  /** Asks for the quote of a total; it does not depend on the method of payment. */
  private async quoteTotal(asked: AskedQuote): Promise<StripeQuote> {
    const sold = this.soldToken(asked.token);
    if (!sold) throw this.unsupported(`${asked.token} is not sold`);
    const quote = await quoteForTotal(asked.fiatAmount, (sourceAmount) =>
      this.sourceQuote(asked, { sold, sourceAmount }),
    );
    if (quote && quote.deliveryAmount > 0n) return quote;
    throw this.mismatch('quoted no tokens for about the amount');
  }

  private async sourceQuote(
    { fiat, fiatAmount, token, tokenDecimals }: AskedQuote,
    { sold, sourceAmount }: { sold: SoldToken; sourceAmount: DecimalString },
  ): Promise<StripeQuote> {
    const limits = this.limitsOf(fiat);
    const response = await this.getQuotes([
      ['source_currency', fiat],
      ['source_amount', sourceAmount],
      ['destination_currencies[]', sold.currency],
      ['destination_networks[]', sold.network],
    ]);
    return this.client.read(() => {
      if (response.status !== 200) {
        throw refusal(this.name, response, { fiat, fiatAmount, limits });
      }
      const answer = JsonObject.of(response.body);
      const item = findItem(answer, sold);
      if (!item) throw this.unsupported(`${token} has no quote in ${fiat}`);
      const quote = readItem(item, { sourceAmount, tokenDecimals });
      if (!quote || !isOfAmount(answer, { fiat, sourceAmount })) {
        throw this.mismatch('answered for another amount or currency');
      }
      return quote;
    });
  }

  /** Asks at the path that worked last; a 404 leads to the other one. */
  private async getQuotes(
    parameters: readonly [name: string, value: string][],
    signal?: AbortSignal,
  ): Promise<JsonResponse> {
    const query = new URLSearchParams([...parameters]).toString();
    const [first = '', other = ''] = this.quotePaths;
    const response = await this.client.get(`${first}?${query}`, signal);
    if (response.status !== 404) return response;
    const second = await this.client.get(`${other}?${query}`, signal);
    if (second.status !== 404) this.quotePaths = [other, first];
    return second;
  }

  private sessionForm(request: OnrampCheckoutRequest, purchase: QuotedPurchase): URLSearchParams {
    const { currency, network, amount } = purchase;
    const walletKey = network === 'base' ? this.settings.baseNetworkKey : network;
    const form = new URLSearchParams({
      [`wallet_addresses[${walletKey}]`]: request.depositAddress,
      lock_wallet_address: 'true',
      source_currency: request.fiat.toLowerCase(),
      // The tokens are fixed, not the price: the payment needs what was quoted.
      destination_amount: amount,
      destination_currency: currency,
      destination_network: network,
      'destination_currencies[]': currency,
      'destination_networks[]': network,
      'metadata[payment_id]': request.paymentId,
      'metadata[amount]': amount,
    });
    const ipAddress = request.customer?.ipAddress;
    if (ipAddress !== undefined) form.set('customer_ip_address', ipAddress);
    return form;
  }

  private purchaseOf({ providerQuoteId, token }: OnrampCheckoutRequest): QuotedPurchase {
    const purchase = parseQuoteId(providerQuoteId);
    const sold = this.soldToken(token);
    if (purchase?.currency !== sold?.currency || purchase?.network !== sold?.network || !purchase) {
      throw providerError(this.name, 'rejected', 'the quote is of another provider or token');
    }
    return purchase;
  }

  private soldToken(token: string): SoldToken | undefined {
    return this.settings.tokens.find((sold) => sold.token === token.toLowerCase());
  }

  private methodsFor(fiat: string, limits: OnrampLimits): OnrampMethodLimits[] {
    return METHODS.offered(this.settings.methods, fiat).map(({ method, known: { places } }) => ({
      method,
      ...limits,
      ...(places && { places }),
    }));
  }

  private limitsOf(fiat: string): OnrampLimits {
    const limits = this.settings.limits.get(fiat.toLowerCase());
    if (limits) return limits;
    throw this.unsupported(`${fiat} is not sold`);
  }

  private readonly unsupported = (message: string) =>
    providerError(this.name, 'unsupported', message);

  private readonly mismatch = (message: string) => providerError(this.name, 'mismatch', message);
}
