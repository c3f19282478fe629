import {
  addDecimals,
  compareDecimals,
  formatAmount,
  formatDecimal,
  type Decimal,
} from '@bascule/amounts';
import type {
  CallbackHeaders,
  OnrampCallback,
  OnrampCheckout,
  OnrampCheckoutRequest,
  OnrampCoverage,
  OnrampLimits,
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
import { lockedTermsId, parseLockedTerms } from '../wire/locked-terms.js';
import { isWithinACent } from '../wire/money.js';
import { ProviderClient } from '../wire/provider-client.js';
import { requireSignature } from '../wire/signed-callback.js';
import { wholeUnits } from '../wire/token-units.js';
import { readCatalogue, readLimits, type MoonPayCatalogue } from './catalogue.js';
import { signedUrl } from './checkout-url.js';
import { readMoonPaySettings, type MoonPaySettings } from './moonpay-settings.js';
import { METHODS } from './payment-methods.js';
import { refusal } from './refusals.js';
import { readOrder } from './transactions.js';

const SIGNATURE_HEADER = 'moonpay-signature-v2';
/** The list of currencies has some hundreds of entries. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** MoonPay's URLs do not expire: after this time the same one is signed again. */
const CHECKOUT_TTL_MS = 24 * 60 * 60_000;

/** A notification about something else. */
const NO_ORDER: OnrampCallback = { callbackId: '', paymentId: null };

const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

const FEES = ['feeAmount', 'extraFeeAmount', 'networkFeeAmount'];

const sumOf = (answer: JsonObject, fields: readonly string[]): Decimal =>
  addDecimals(...fields.map((field) => answer.decimal(field)));

export const moonpay: ProviderAdapter = (entry) => {
  const settings = readMoonPaySettings(entry);
  return (connection) => new MoonPayProvider(connection, settings);
};

/** Adapter of MoonPay's widget API. */
class MoonPayProvider implements OnrampProvider {
  readonly name: string;
  private readonly client: ProviderClient;
  private readonly catalogues: KeptAnswers<MoonPayCatalogue>;

  constructor(
    private readonly connection: ProviderConnection,
    private readonly settings: MoonPaySettings,
  ) {
    this.name = connection.name;
    this.catalogues = KeptAnswers.lists(this.name, (key) => this.fetchCatalogue(key));
    this.client = new ProviderClient(connection, {
      headers: {},
      exactNumbers: true,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  async coverage(signal?: AbortSignal): Promise<OnrampCoverage> {
    const { fiats, currencies, places } = await this.catalogue(signal);
    return {
      fiats: fiats.map(({ code, min, max }) => ({
        code,
        methods: METHODS.offered(this.settings.methods, code).map(({ method }) => ({
          method,
          min,
          max,
        })),
      })),
      tokens: currencies.map(({ token, places: ofToken }) => ({
        token,
        ...(ofToken && { places: ofToken }),
      })),
      places,
    };
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const method = METHODS.of(this.name, this.settings.methods, request);
    const code = await this.codeOf(request, signal);
    const terms = {
      apiKey: this.connection.apiKey,
      baseCurrencyCode: request.fiat.toLowerCase(),
      paymentMethod: method.wire,
      areFeesIncluded: 'true',
    };
    const amount = { baseCurrencyAmount: request.fiatAmount };
    const [limits, quote] = await Promise.all([
      this.get(`v3/currencies/${code}/limits?${query(terms)}`, signal),
      this.client.get(`v3/currencies/${code}/buy_quote?${query({ ...terms, ...amount })}`, signal),
    ]);
    return this.client.read(() => {
      const bounds = this.limitsOf(JsonObject.of(limits), terms, code);
      const outside = amountRefusal(this.name, request, bounds);
      if (outside) throw outside;
      if (quote.status !== 200) throw refusal(this.name, quote);
      const answer = JsonObject.of(quote.body);
      this.mustMatch(answer, request, { code, wire: method.wire });
      const deliveryAmount = wholeUnits(answer, 'quoteCurrencyAmount', request.tokenDecimals);
      const fee = formatDecimal(sumOf(answer, FEES));
      if (deliveryAmount === 0n || compareDecimals(fee, request.fiatAmount) >= 0) {
        throw this.mismatch('quoted no tokens for the amount');
      }
      return {
        providerQuoteId: lockedTermsId({
          code,
          network: '-',
          amount: formatAmount(deliveryAmount, request.tokenDecimals),
          token: request.token,
        }),
        deliveryAmount,
        fees: { total: fee },
        latencySeconds: method.latencySeconds,
        limits: bounds,
      };
    });
  }

  /** Signs a URL, without a call: MoonPay knows the order once the customer has started it. */
  async createCheckout(request: OnrampCheckoutRequest): Promise<OnrampCheckout> {
    const { paymentId, redirectUrl, customer } = request;
    const quoted = parseLockedTerms(request.providerQuoteId, request.token);
    if (quoted === undefined) {
      throw providerError(this.name, 'rejected', 'the quote is of another provider or token');
    }
    const method = METHODS.of(this.name, this.settings.methods, request);
    const parameters = {
      apiKey: this.connection.apiKey,
      currencyCode: quoted.code,
      walletAddress: request.depositAddress,
      baseCurrencyCode: request.fiat.toLowerCase(),
      // The tokens are fixed, not the price: the payment needs what was quoted.
      quoteCurrencyAmount: quoted.amount,
      lockAmount: 'true',
      paymentMethod: method.wire,
      externalTransactionId: paymentId,
      ...(customer?.id !== undefined && { externalCustomerId: customer.id }),
      ...(redirectUrl !== undefined && { redirectURL: redirectUrl }),
    };
    return {
      checkoutId: request.providerQuoteId,
      url: signedUrl(this.settings.checkoutUrl, parameters, this.settings.secretKey),
      expiresAt: new Date(Date.now() + CHECKOUT_TTL_MS),
    };
  }

  async status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const locked = parseLockedTerms(order.checkoutId, order.token);
    if (locked === undefined) {
      throw providerError(this.name, 'mismatch', 'the order is of another provider or token');
    }
    const key = query({ apiKey: this.connection.apiKey });
    const path = `v1/transactions/ext/${encodeURIComponent(order.paymentId)}?${key}`;
    const response = await this.client.get(path, signal);
    return this.client.read(() => {
      // In MoonPay's own words: the customer has not started.
      if (response.status === 404 && JsonObject.of(response.body).isText('message')) {
        return { status: 'CREATED' };
      }
      if (response.status !== 200) throw refusal(this.name, response);
      return readOrder(response.body, { ...order, locked });
    });
  }

  async parseCallback(headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback> {
    const header = headers[SIGNATURE_HEADER];
    requireSignature(this.name, this.settings.callbackKey, { header, scheme: 's', rawBody });
    return this.client.read(() => {
      const event = JsonObject.parse(rawBody, 'callback');
      // Events about customers, sales and swaps arrive at the same URL.
      if (!event.optional('type')?.startsWith('transaction_')) return NO_ORDER;
      const transaction = event.object('data');
      return {
        callbackId: ['id', 'status', 'updatedAt']
          .map((field) => transaction.optional(field) ?? '')
          .join(' '),
        paymentId: transaction.optional('externalTransactionId') ?? null,
      };
    });
  }

  private catalogue(signal?: AbortSignal): Promise<MoonPayCatalogue> {
    return this.catalogues.get(query({ apiKey: this.connection.apiKey }), signal);
  }

  private async fetchCatalogue(key: string): Promise<MoonPayCatalogue> {
    const [currencies, countries] = await Promise.all([
      this.get(`v3/currencies?${key}`),
      this.get('v3/countries'),
    ]);
    return this.client.read(() => readCatalogue(currencies, countries, this.settings));
  }

  /** Body of a 200. */
  private async get(path: string, signal?: AbortSignal): Promise<unknown> {
    const response = await this.client.get(path, signal);
    if (response.status === 200) return response.body;
    throw this.client.read(() => refusal(this.name, response));
  }

  private async codeOf({ token }: { token: string }, signal?: AbortSignal): Promise<string> {
    const { currencies } = await this.catalogue(signal);
    const sold = currencies.find((currency) => currency.token === token.toLowerCase());
    if (sold) return sold.code;
    throw providerError(this.name, 'unsupported', `${token} is not sold`);
  }

  private limitsOf(
    answer: JsonObject,
    { baseCurrencyCode, paymentMethod }: { baseCurrencyCode: string; paymentMethod: string },
    code: string,
  ): OnrampLimits {
    const fiat = answer.object('baseCurrency');
    if (
      answer.object('quoteCurrency').string('code') !== code ||
      fiat.string('code') !== baseCurrencyCode ||
      answer.string('paymentMethod') !== paymentMethod ||
      !answer.boolean('areFeesIncluded')
    ) {
      throw this.mismatch('answered with other limits');
    }
    return readLimits(fiat);
  }

  /** A quote for less than its least amount is answered for another amount, not refused. */
  private mustMatch(
    answer: JsonObject,
    asked: OnrampQuoteRequest,
    { code, wire }: { code: string; wire: string },
  ): void {
    const total = answer.decimal('totalAmount');
    if (
      answer.string('baseCurrencyCode').toLowerCase() !== asked.fiat.toLowerCase() ||
      answer.string('quoteCurrencyCode').toLowerCase() !== code ||
      answer.string('paymentMethod') !== wire ||
      !isWithinACent(total, asked.fiatAmount) ||
      !isWithinACent(sumOf(answer, [...FEES, 'baseCurrencyAmount']), total)
    ) {
      throw this.mismatch('answered for another amount, asset or payment method');
    }
  }

  private readonly mismatch = (message: string) => providerError(this.name, 'mismatch', message);
}
