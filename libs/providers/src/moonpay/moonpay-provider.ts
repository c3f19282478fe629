import { createSecretKey, type KeyObject } from 'node:crypto';
import { addDecimals, compareDecimals, formatDecimal, subDecimals } from '@bascule/amounts';
import { unlessAborted } from '@bascule/process';
import { LRUCache } from 'lru-cache';
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
import type { ProviderAdapter } from '../wire/provider-adapter.js';
import type { ProviderConnection } from '../port/provider-connection.js';
import { ProviderError, providerError } from '../port/provider-error.js';
import { amountRefusal } from '../wire/amount-refusal.js';
import { JsonObject } from '../wire/json-object.js';
import { ProviderClient } from '../wire/provider-client.js';
import { verifyTimestampedSignature } from '../wire/timestamped-signature.js';
import { wholeUnits } from '../wire/token-units.js';
import { readCatalogue, readLimits, type MoonPayCatalogue } from './catalogue.js';
import { signedUrl } from './checkout-url.js';
import { readMoonPaySettings, type MoonPaySettings } from './moonpay-settings.js';
import { moonPayMethod, sellsFor } from './payment-methods.js';
import { parseQuoteId, quoteId } from './quote-id.js';
import { refusal } from './refusals.js';
import { isOfOrder, listTransactions, orderOf } from './transactions.js';

const SIGNATURE_HEADER = 'moonpay-signature-v2';
const TOLERANCE_SECONDS = 300;
const CATALOGUE_TTL_MS = 10 * 60_000;
/** The list of currencies has some hundreds of entries. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** MoonPay's URLs do not expire; after this time the payment's link leads to a new one. */
const CHECKOUT_TTL_MS = 24 * 60 * 60_000;
/** MoonPay adds up the parts of the total as floating-point numbers. */
const ROUNDING = '0.01';

const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

export const moonpay: ProviderAdapter = (entry) => {
  const settings = readMoonPaySettings(entry);
  return (connection) => new MoonPayProvider(connection, settings);
};

/** Adapter of MoonPay's widget API. */
class MoonPayProvider implements OnrampProvider {
  readonly name: string;
  private readonly client: ProviderClient;
  private readonly callbackKey: KeyObject;
  private readonly isTest: boolean;
  private readonly catalogues = new LRUCache<'catalogue', MoonPayCatalogue>({
    max: 1,
    ttl: CATALOGUE_TTL_MS,
    fetchMethod: () => this.fetchCatalogue(),
  });

  constructor(
    private readonly connection: ProviderConnection,
    private readonly settings: MoonPaySettings,
  ) {
    this.name = connection.name;
    this.isTest = connection.apiKey.startsWith('pk_test_');
    this.callbackKey = createSecretKey(Buffer.from(connection.callbackSecret, 'utf8'));
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
        methods: this.settings.methods
          .filter((method) => this.isOffered(method, code))
          .map((method) => ({ method, min, max })),
      })),
      tokens: currencies.map(({ token, places: ofToken }) => ({
        token,
        ...(ofToken && { places: ofToken }),
      })),
      places,
    };
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const method = this.methodOf(request);
    const code = await this.codeOf(request, signal);
    const terms = {
      apiKey: this.connection.apiKey,
      baseCurrencyCode: request.fiat.toLowerCase(),
      paymentMethod: method.wire,
      areFeesIncluded: 'true',
    };
    const [limits, quote] = await Promise.all([
      this.get(`v3/currencies/${code}/limits?${query(terms)}`, signal),
      this.client.get(
        `v3/currencies/${code}/buy_quote?${query({ ...terms, baseCurrencyAmount: request.fiatAmount })}`,
        signal,
      ),
    ]);
    return this.client.read(() => {
      const bounds = readLimits(JsonObject.of(limits).object('baseCurrency'));
      const outside = amountRefusal(this.name, request, bounds);
      if (outside) throw outside;
      if (quote.status !== 200) throw refusal(this.name, quote.body);
      const answer = JsonObject.of(quote.body);
      this.mustMatch(answer, request, { code, wire: method.wire });
      const deliveryAmount = wholeUnits(answer, 'quoteCurrencyAmount', request.tokenDecimals);
      const fee = formatDecimal(
        addDecimals(
          answer.decimal('feeAmount'),
          answer.decimal('extraFeeAmount'),
          answer.decimal('networkFeeAmount'),
        ),
      );
      if (deliveryAmount === 0n || compareDecimals(fee, request.fiatAmount) >= 0) {
        throw this.mismatch('quoted no tokens for the amount');
      }
      return {
        providerQuoteId: quoteId({ code, amount: answer.decimal('quoteCurrencyAmount') }),
        deliveryAmount,
        fees: { total: fee },
        latencySeconds: method.latencySeconds,
        limits: bounds,
      };
    });
  }

  /** Signs a URL, without a call: MoonPay knows the order once the customer has started it. */
  createCheckout(request: OnrampCheckoutRequest): Promise<OnrampCheckout> {
    const { paymentId, redirectUrl, customer } = request;
    const quoted = parseQuoteId(request.providerQuoteId);
    if (quoted === undefined) {
      return Promise.reject(
        providerError(this.name, 'rejected', 'the quote is of another provider'),
      );
    }
    const method = this.methodOf(request);
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
    return Promise.resolve({
      checkoutId: paymentId,
      url: signedUrl(this.settings.checkoutUrl, parameters, this.settings.secretKey),
      expiresAt: new Date(Date.now() + CHECKOUT_TTL_MS),
    });
  }

  async status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const { tokens } = await this.catalogue(signal);
    const key = query({ apiKey: this.connection.apiKey });
    const path = `v1/transactions/ext/${encodeURIComponent(order.paymentId)}?${key}`;
    const { status, body } = await this.client.get(path, signal);
    // The customer has not started: no conclusion is possible.
    if (status === 404) return { status: 'UNKNOWN' };
    return this.client.read(() => {
      if (status !== 200) throw refusal(this.name, body);
      const started = listTransactions(body);
      const ours = started.filter(isOfOrder(order, tokens));
      if (ours.length > 0) return orderOf(ours, order.tokenDecimals);
      if (started.length === 0) return { status: 'UNKNOWN' };
      throw this.mismatch('the order is not the one that was placed');
    });
  }

  parseCallback(headers: CallbackHeaders, rawBody: Buffer): OnrampCallback {
    const header = headers[SIGNATURE_HEADER];
    const isSigned =
      typeof header === 'string' &&
      verifyTimestampedSignature(this.callbackKey, {
        header,
        scheme: 's',
        rawBody,
        now: new Date(),
        toleranceSeconds: TOLERANCE_SECONDS,
      });
    if (!isSigned) {
      throw providerError(this.name, 'bad_signature', 'the callback is not signed by the provider');
    }
    return this.client.read(() => {
      const event = JsonObject.parse(rawBody, 'callback');
      const transaction = event.object('data');
      // Events about customers, sales and swaps arrive at the same URL.
      const isOrder =
        event.string('type').startsWith('transaction_') && transaction.has('externalTransactionId');
      return {
        callbackId: ['id', 'status', 'updatedAt']
          .map((field) => (transaction.has(field) ? transaction.string(field) : ''))
          .join(' '),
        paymentId: isOrder ? transaction.string('externalTransactionId') : null,
      };
    });
  }

  private async catalogue(signal?: AbortSignal): Promise<MoonPayCatalogue> {
    const fetched = () => this.catalogues.forceFetch('catalogue');
    if (signal === undefined) return fetched();
    try {
      return await unlessAborted(signal, fetched);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw providerError(this.name, 'unavailable', 'was not waited for', error);
    }
  }

  private async fetchCatalogue(): Promise<MoonPayCatalogue> {
    const key = query({ apiKey: this.connection.apiKey });
    const [currencies, countries] = await Promise.all([
      this.get(`v3/currencies?${key}`),
      this.get('v3/countries'),
    ]);
    return this.client.read(() => readCatalogue(currencies, countries, { isTest: this.isTest }));
  }

  /** Body of a 200. */
  private async get(path: string, signal?: AbortSignal): Promise<unknown> {
    const { status, body } = await this.client.get(path, signal);
    if (status === 200) return body;
    throw this.client.read(() => refusal(this.name, body));
  }

  private async codeOf({ token }: { token: string }, signal?: AbortSignal): Promise<string> {
    const { currencies } = await this.catalogue(signal);
    const sold = currencies.find((currency) => currency.token === token.toLowerCase());
    if (sold) return sold.code;
    throw providerError(this.name, 'unsupported', `${token} is not sold`);
  }

  private isOffered(method: string, fiat: string): boolean {
    const known = moonPayMethod(method);
    return known !== undefined && sellsFor(known, fiat);
  }

  private methodOf({ method, fiat }: Pick<OnrampQuoteRequest, 'method' | 'fiat'>) {
    const known = moonPayMethod(method);
    if (known && this.settings.methods.includes(method) && this.isOffered(method, fiat)) {
      return known;
    }
    const message = `${this.name}: ${method} is not offered for ${fiat}`;
    throw new ProviderError(this.name, 'unsupported', [{ kind: 'payin_method', message }]);
  }

  /** A quote for less than its least amount is answered for another amount, not refused. */
  private mustMatch(
    answer: JsonObject,
    asked: OnrampQuoteRequest,
    { code, wire }: { code: string; wire: string },
  ): void {
    const total = answer.decimal('totalAmount');
    const difference =
      compareDecimals(total, asked.fiatAmount) > 0
        ? subDecimals(total, asked.fiatAmount)
        : subDecimals(asked.fiatAmount, total);
    if (
      answer.string('baseCurrencyCode').toLowerCase() !== asked.fiat.toLowerCase() ||
      answer.string('quoteCurrencyCode').toLowerCase() !== code ||
      answer.string('paymentMethod') !== wire ||
      compareDecimals(difference, ROUNDING) > 0
    ) {
      throw this.mismatch('answered for another amount, asset or payment method');
    }
  }

  private readonly mismatch = (message: string) => providerError(this.name, 'mismatch', message);
}
