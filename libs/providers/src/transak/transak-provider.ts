import { compareDecimals, formatAmount, formatDecimal } from '@bascule/amounts';
import type {
  CallbackHeaders,
  OnrampCallback,
  OnrampCheckout,
  OnrampCheckoutRequest,
  OnrampCoverage,
  OnrampOrder,
  OnrampOrderReference,
  OnrampProvider,
  OnrampQuote,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import type { ProviderConnection } from '../port/provider-connection.js';
import { ProviderError, providerError } from '../port/provider-error.js';
import type { SharedTokenStore } from '../port/shared-token-store.js';
import { amountRefusal } from '../wire/amount-refusal.js';
import { JsonObject, told } from '../wire/json-object.js';
import { KeptAnswers } from '../wire/kept-answers.js';
import { lockedTermsId, parseLockedTerms } from '../wire/locked-terms.js';
import type { ProviderAdapter } from '../wire/provider-adapter.js';
import { parseJwt } from '../wire/signed-jwt.js';
import { wholeUnits } from '../wire/token-units.js';
import { readEvent } from './callback-event.js';
import { isSoldFor, readCatalogue, type TransakCatalogue } from './catalogue.js';
import { ordersQuery, readOrders } from './orders.js';
import { isAnswerTo, quoteQuery, type Offer } from './quotes.js';
import { messageOf, refusal } from './refusals.js';
import { TransakClient } from './transak-client.js';
import { readTransakSettings, type TransakSettings } from './transak-settings.js';
import { widgetParams } from './widget-params.js';

/**
 * A URL opens its page once, within five minutes. A later visit gets another one; only visits that follow at once, such as
 * a preview of the link, share one.
 */
const CHECKOUT_TTL_MS = 10_000;
/** An event repeats the whole order. */
const MAX_JWT = 64 * 1024;

const QUOTES = 'api/v1/pricing/public/quotes';
const LISTS = {
  fiats: 'fiat/public/v1/currencies/fiat-currencies',
  currencies: 'cryptocoverage/api/v1/public/crypto-currencies',
};

export const transak: ProviderAdapter = (entry) => {
  const settings = readTransakSettings(entry);
  return (connection, tokens) => new TransakProvider(connection, settings, tokens);
};

/** Adapter of Transak's widget: public lists and quotes, sessions and orders with an access token. */
class TransakProvider implements OnrampProvider {
  readonly name: string;
  private readonly client: TransakClient;
  private readonly catalogues: KeptAnswers<TransakCatalogue>;

  constructor(
    private readonly connection: ProviderConnection,
    private readonly settings: TransakSettings,
    tokens: SharedTokenStore,
  ) {
    this.name = connection.name;
    this.client = new TransakClient(connection, settings, tokens);
    this.catalogues = KeptAnswers.lists(this.name, () => this.fetchCatalogue());
  }

  async coverage(signal?: AbortSignal): Promise<OnrampCoverage> {
    const { fiats, currencies } = await this.catalogue(signal);
    const { table, methods } = this.settings;
    return {
      fiats: [...fiats].map(([code, options]) => ({
        code,
        methods: table.offered(methods, code).flatMap(({ method, known: { wire } }) => {
          const option = options.find(({ id }) => id === wire);
          if (!option) return [];
          const { min, max, places } = option;
          return [{ method, min, max, places }];
        }),
      })),
      tokens: currencies.map(({ token, places }) => ({ token, ...(places && { places }) })),
    };
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const { sold, option, latencySeconds } = await this.offerOf(request, signal);
    const limits = { min: option.min, max: option.max };
    const outside = amountRefusal(this.name, request, limits);
    if (outside) throw outside;
    const offer = { sold, option };
    const query = quoteQuery(request, offer, this.connection.apiKey);
    const response = await this.client.getPublic(`${QUOTES}?${query}`, signal);
    return this.client.read(() => {
      if (response.status !== 200) throw refusal(this.name, response);
      const answer = JsonObject.of(response.body).object('response');
      if (!isAnswerTo(answer, request, offer)) {
        throw this.mismatch('answered for another amount, asset or payment method');
      }
      const deliveryAmount = wholeUnits(answer, 'cryptoAmount', request.tokenDecimals);
      const fee = formatDecimal(answer.decimal('totalFee'));
      if (deliveryAmount === 0n || compareDecimals(fee, request.fiatAmount) >= 0) {
        throw this.mismatch('quoted no tokens for the amount');
      }
      const amount = formatAmount(deliveryAmount, request.tokenDecimals);
      const { symbol: code, network, token } = sold;
      return {
        providerQuoteId: lockedTermsId({ code, network, amount, token }),
        deliveryAmount,
        fees: { total: fee },
        latencySeconds,
        limits,
      };
    });
  }

  /** Creates the URL of a page; Transak knows the order once the customer has started it there. */
  async createCheckout(
    request: OnrampCheckoutRequest,
    signal?: AbortSignal,
  ): Promise<OnrampCheckout> {
    const quoted = parseLockedTerms(request.providerQuoteId, request.token);
    if (quoted === undefined || quoted.network === '-') {
      throw this.rejected('the quote is of another provider or token');
    }
    const { customer, visitorAddress } = request;
    const userIp = customer?.ipAddress ?? visitorAddress;
    if (userIp === undefined) {
      throw this.rejected("the customer's IP address must be known: customer_ip_address");
    }
    const { table, methods, referrerDomain } = this.settings;
    const params = widgetParams(request, quoted, {
      apiKey: this.connection.apiKey,
      referrerDomain,
      paymentMethod: table.of(this.name, methods, request).wire,
    });
    const response = await this.client.createSession(params, userIp, signal);
    return this.client.read(() => {
      if (response.status !== 200) throw refusal(this.name, response);
      const url = JsonObject.of(response.body).object('data').httpUrl('widgetUrl');
      if (new URL(url).origin !== this.settings.checkoutOrigin) {
        throw this.mismatch('opened a checkout at another host');
      }
      const expiresAt = new Date(Date.now() + CHECKOUT_TTL_MS);
      return { checkoutId: request.providerQuoteId, url, expiresAt };
    });
  }

  async status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const locked = parseLockedTerms(order.checkoutId, order.token);
    if (locked === undefined) throw this.mismatch('the order is of another provider or token');
    const response = await this.client.getOrders(ordersQuery(order.paymentId), signal);
    return this.client.read(() => {
      // In Transak's own words: the customer has not started.
      if (response.status === 404 && messageOf(response.body) !== undefined) {
        return { status: 'CREATED' };
      }
      if (response.status !== 200) throw refusal(this.name, response);
      return readOrders(JsonObject.of(response.body), { ...order, locked });
    });
  }

  /** Verifies the JWT in the body: it is signed by the access token of the time at which it was sent. */
  async parseCallback(_headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback> {
    const jwt = told(() => parseJwt(JsonObject.parse(rawBody, 'callback').string('data', MAX_JWT)));
    const isSigned =
      jwt !== undefined && (await this.client.token.some((token) => jwt.isSignedBy(token)));
    if (!isSigned) {
      throw providerError(this.name, 'bad_signature', 'the callback is not signed by the provider');
    }
    return this.client.read(() => readEvent(jwt.claims()));
  }

  private catalogue(signal?: AbortSignal): Promise<TransakCatalogue> {
    return this.catalogues.get('', signal);
  }

  private async fetchCatalogue(): Promise<TransakCatalogue> {
    // In this order: a 429 to the first call stops the second one.
    const fiats = await this.list(LISTS.fiats);
    const currencies = await this.list(LISTS.currencies);
    return this.client.read(() => readCatalogue(fiats, currencies));
  }

  /** Body of a 200. */
  private async list(path: string): Promise<unknown> {
    const response = await this.client.getPublic(path);
    if (response.status === 200) return response.body;
    throw refusal(this.name, response);
  }

  private async offerOf(
    request: OnrampQuoteRequest,
    signal?: AbortSignal,
  ): Promise<Offer & { latencySeconds: number }> {
    const { table, methods } = this.settings;
    const { wire, latencySeconds } = table.of(this.name, methods, request);
    const { fiats, currencies } = await this.catalogue(signal);
    const fiat = request.fiat.toLowerCase();
    const option = fiats.get(fiat)?.find(({ id }) => id === wire);
    const sold = currencies.find(({ token }) => token === request.token.toLowerCase());
    if (!sold) throw providerError(this.name, 'unsupported', `${request.token} is not sold`);
    if (option && isSoldFor(sold, { fiat, option: wire })) return { sold, option, latencySeconds };
    const message = `${this.name}: ${request.method} is not offered for ${fiat}`;
    throw new ProviderError(this.name, 'unsupported', [{ kind: 'payin_method', message }]);
  }

  private readonly rejected = (message: string): ProviderError =>
    providerError(this.name, 'rejected', message);

  private readonly mismatch = (message: string): ProviderError =>
    providerError(this.name, 'mismatch', message);
}
