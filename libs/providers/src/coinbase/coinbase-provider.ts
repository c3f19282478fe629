import { addDecimals, compareDecimals, formatAmount, formatDecimal } from '@bascule/amounts';
import type {
  CallbackHeaders,
  OnrampCallback,
  OnrampCheckout,
  OnrampCheckoutRequest,
  OnrampCoverage,
  OnrampCustomer,
  OnrampLimits,
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
import { orderOfAttempts, readAttempts } from '../wire/attempts.js';
import { JsonObject, told } from '../wire/json-object.js';
import { KeptAnswers } from '../wire/kept-answers.js';
import { lockedTermsId, parseLockedTerms, type LockedTerms } from '../wire/locked-terms.js';
import { isWithinACent } from '../wire/money.js';
import { unitsOfDecimal } from '../wire/token-units.js';
import { readBuyConfig, type ServedCountry } from './buy-config.js';
import { readBuyOptions, type BuyOptions, type SoldAsset } from './buy-options.js';
import { isSignedCallback } from './callback-signature.js';
import { readCoinbaseSettings, type CoinbaseSettings } from './coinbase-settings.js';
import { coverageOf, type OptionsByPlace } from './coverage.js';
import { isInUsa, placeOf, USA, type CustomerPlace } from './customer-place.js';
import { amountOf, isIn, withCents } from './money.js';
import { partnerReference, paymentIdOf } from './partner-reference.js';
import { METHODS, type CoinbaseMethod } from './payment-methods.js';
import { isPublicAddress } from './public-address.js';
import { refusal } from './refusals.js';
import { SignedClient } from './signed-client.js';
import { parseEvent } from './callback-event.js';
import { readTransaction } from './transactions.js';

/**
 * A session's URL opens its page once, within about five minutes. A later visit gets another session; only visits that
 * follow at once, such as a preview of the link, share one.
 */
const CHECKOUT_TTL_MS = 10_000;
const PAGE_SIZE = '25';
const MAX_PAGES = 4;

const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

/** Country and state in the names that v1 and v2 share. */
const termsOf = ({ country, subdivision }: CustomerPlace): Record<string, string> => ({
  country,
  ...(subdivision !== undefined && { subdivision }),
});

export const coinbase: ProviderAdapter = (entry) => {
  const settings = readCoinbaseSettings(entry);
  return (connection) => new CoinbaseProvider(connection, settings);
};

/** Adapter of Coinbase Onramp: lists, quotes and transactions of its v1 API, sessions of v2. */
class CoinbaseProvider implements OnrampProvider {
  readonly name: string;
  private readonly v1: SignedClient;
  private readonly v2: SignedClient;
  private readonly configs: KeptAnswers<ServedCountry[]>;
  private readonly options: KeptAnswers<BuyOptions>;

  constructor(
    connection: ProviderConnection,
    private readonly settings: CoinbaseSettings,
  ) {
    this.name = connection.name;
    this.configs = KeptAnswers.lists(this.name, async (path) => {
      const body = await this.get(path);
      return this.v1.read(() => readBuyConfig(body));
    });
    this.options = KeptAnswers.lists(this.name, async (path) => {
      const body = await this.get(path);
      return this.v1.read(() => readBuyOptions(body));
    });
    this.v1 = new SignedClient({ ...connection, baseUrl: settings.v1Url }, settings.signingKey);
    this.v2 = new SignedClient(connection, settings.signingKey);
  }

  async coverage(signal?: AbortSignal): Promise<OnrampCoverage> {
    // In this order: a 429 to the first call stops the others.
    const countries = await this.configs.get('onramp/v1/buy/config', signal);
    return coverageOf(countries, await this.optionsOfPlaces(signal), this.settings.methods);
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const method = METHODS.of(this.name, this.settings.methods, request);
    const place = this.placeOf(request, method);
    const { asset, limits } = await this.offerOf(request, { method, place }, signal);
    const outside = amountRefusal(this.name, request, limits);
    if (outside) throw outside;
    const { status, body } = await this.v1.post(
      'onramp/v1/buy/quote',
      {
        purchase_currency: asset.symbol,
        purchase_network: asset.network,
        payment_amount: withCents(request.fiatAmount),
        payment_currency: request.fiat.toUpperCase(),
        payment_method: method.v1,
        ...termsOf(place),
      },
      signal,
    );
    return this.v1.read(() => {
      if (status !== 200) throw refusal(this.name, body);
      const { deliveryAmount, fee } = this.readQuote(JsonObject.of(body), request, asset);
      const amount = formatAmount(deliveryAmount, request.tokenDecimals);
      return {
        providerQuoteId: lockedTermsId({
          code: asset.symbol,
          network: asset.network,
          amount,
          token: asset.token,
        }),
        deliveryAmount,
        fees: { total: fee },
        latencySeconds: method.latencySeconds,
        limits,
      };
    });
  }

  /** Opens a session; Coinbase knows the order once the customer has started it on the page. */
  async createCheckout(
    request: OnrampCheckoutRequest,
    signal?: AbortSignal,
  ): Promise<OnrampCheckout> {
    const quoted = parseLockedTerms(request.providerQuoteId, request.token);
    if (quoted === undefined) {
      throw providerError(this.name, 'rejected', 'the quote is of another provider or token');
    }
    const method = METHODS.of(this.name, this.settings.methods, request);
    const { status, body } = await this.v2.post(
      'platform/v2/onramp/sessions',
      {
        purchaseCurrency: quoted.code,
        destinationNetwork: quoted.network,
        destinationAddress: request.depositAddress,
        paymentCurrency: request.fiat.toUpperCase(),
        paymentMethod: method.v2,
        // The tokens are fixed, not the price: the payment needs what was quoted.
        purchaseAmount: quoted.amount,
        partnerUserRef: partnerReference(request.paymentId, this.settings.isSandbox),
        ...(request.redirectUrl !== undefined && { redirectUrl: request.redirectUrl }),
        ...this.customerTerms(request.customer),
      },
      signal,
    );
    return this.v2.read(() => {
      if (status !== 200 && status !== 201) throw refusal(this.name, body);
      const answer = JsonObject.of(body);
      if (answer.has('quote')) this.mustSell(answer.object('quote'), request, quoted);
      return {
        checkoutId: request.providerQuoteId,
        url: answer.object('session').httpUrl('onramp_url'),
        expiresAt: new Date(Date.now() + CHECKOUT_TTL_MS),
      };
    });
  }

  async status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const locked = parseLockedTerms(order.checkoutId, order.token);
    if (locked === undefined) throw this.mismatch('the order is of another provider or token');
    const { items, isComplete } = await this.transactionsOf(order.paymentId, signal);
    const current = orderOfAttempts(readAttempts(items, readTransaction(locked)), {
      ...order,
      locked,
    });
    const isPaid = current.status === 'PROCESSING' || current.status === 'DELIVERED';
    return isComplete || isPaid ? current : { status: 'UNKNOWN' };
  }

  async parseCallback(headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback> {
    if (!isSignedCallback(this.settings.callbackKey, { headers, rawBody, now: new Date() })) {
      throw providerError(this.name, 'bad_signature', 'the callback is not signed by the provider');
    }
    const { callbackId, reference } = this.v1.read(() => parseEvent(rawBody));
    return {
      callbackId,
      paymentId: reference === null ? null : paymentIdOf(reference, this.settings.isSandbox),
    };
  }

  private readQuote(
    answer: JsonObject,
    asked: OnrampQuoteRequest,
    asset: SoldAsset,
  ): { deliveryAmount: bigint; fee: string } {
    const total = answer.object('payment_total');
    const bought = answer.object('purchase_amount');
    const fees = ['coinbase_fee', 'network_fee'].map((name) => answer.object(name));
    // Coinbase answers in US dollars for a fiat that it does not support.
    if (
      ![total, ...fees].every((money) => isIn(money, asked.fiat)) ||
      !isIn(bought, asset.symbol) ||
      !isWithinACent(amountOf(total), asked.fiatAmount)
    ) {
      throw this.mismatch('quoted another amount or asset');
    }
    const fee = formatDecimal(addDecimals(...fees.map(amountOf)));
    const deliveryAmount = unitsOfDecimal(amountOf(bought), asked.tokenDecimals);
    if (deliveryAmount === 0n || compareDecimals(fee, asked.fiatAmount) >= 0) {
      throw this.mismatch('quoted no tokens for the amount');
    }
    return { deliveryAmount, fee };
  }

  /** Checks the quote of a session, which has one where Coinbase knows enough. */
  private mustSell(quote: JsonObject, asked: OnrampCheckoutRequest, quoted: LockedTerms): void {
    if (
      quote.string('purchase_currency').toUpperCase() !== quoted.code ||
      quote.string('destination_network') !== quoted.network ||
      quote.string('payment_currency').toUpperCase() !== asked.fiat.toUpperCase() ||
      compareDecimals(quote.decimal('purchase_amount'), quoted.amount) < 0
    ) {
      throw this.mismatch('opened a checkout for another amount or asset');
    }
  }

  private customerTerms(customer: OnrampCustomer = {}): Record<string, string> {
    const { geolocation, ipAddress } = customer;
    const place = geolocation && placeOf(geolocation);
    return {
      ...(place && termsOf(place)),
      ...(ipAddress !== undefined && isPublicAddress(ipAddress) && { clientIp: ipAddress }),
    };
  }

  /** Place of the customer; where it is not known, the first configured place with the method. */
  private placeOf({ customer }: OnrampQuoteRequest, method: CoinbaseMethod): CustomerPlace {
    const { places } = this.settings;
    const isOffered = (place: CustomerPlace) => !(method.isOutsideUsa && isInUsa(place));
    const geolocation = customer?.geolocation;
    if (geolocation === undefined) {
      const assumed = places.find(isOffered);
      if (assumed) return assumed;
      throw this.unsupported('the method is not offered in the USA');
    }
    const isUsa = geolocation.alpha3_country_code === USA;
    const place = placeOf(geolocation) ?? (isUsa ? places.find(isInUsa) : undefined);
    if (place === undefined) {
      const message = `${this.name}: The country and the state of the customer must be known.`;
      throw new ProviderError(this.name, 'rejected', [{ kind: 'geolocation', message }]);
    }
    if (!isOffered(place)) throw this.unsupported('the method is not offered in the USA');
    return place;
  }

  /** Asset and limits for a customer in a place. */
  private async offerOf(
    { fiat, token }: OnrampQuoteRequest,
    { method, place }: { method: CoinbaseMethod; place: CustomerPlace },
    signal?: AbortSignal,
  ): Promise<{ asset: SoldAsset; limits: OnrampLimits }> {
    const { fiats, assets } = await this.optionsOf(place, signal);
    const asset = assets.find((each) => each.token === token.toLowerCase());
    if (!asset) {
      throw providerError(this.name, 'unsupported', `${token} is not sold in ${place.place}`);
    }
    const limits = fiats.get(fiat.toLowerCase())?.get(method.v1);
    if (!limits) throw this.unsupported(`the method is not offered for ${fiat} in ${place.place}`);
    return { asset, limits };
  }

  /** Lists of the configured places, without those that Coinbase does not give. @throws ProviderError without any */
  private async optionsOfPlaces(signal?: AbortSignal): Promise<OptionsByPlace> {
    const asked = await Promise.allSettled(
      this.settings.places.map(async (place) => ({
        place,
        options: await this.optionsOf(place, signal),
      })),
    );
    const given = asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const [failed] = asked.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as Error] : [],
    );
    if (failed && given.length === 0) throw failed;
    return given;
  }

  private optionsOf(place: CustomerPlace, signal?: AbortSignal): Promise<BuyOptions> {
    return this.options.get(`onramp/v1/buy/options?${query(termsOf(place))}`, signal);
  }

  /** Transactions of an order, and whether these are all that Coinbase has. */
  private async transactionsOf(
    paymentId: string,
    signal?: AbortSignal,
  ): Promise<{ items: unknown[]; isComplete: boolean }> {
    const reference = encodeURIComponent(partnerReference(paymentId, this.settings.isSandbox));
    const path = `onramp/v1/buy/user/${reference}/transactions`;
    const items: unknown[] = [];
    let page: Record<string, string> = {};
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      // Documented in both spellings.
      const terms = query({ page_size: PAGE_SIZE, pageSize: PAGE_SIZE, ...page });
      const { status, body } = await this.v1.get(`${path}?${terms}`, signal);
      if (status === 404) {
        // In Coinbase's own words: the customer has not started.
        const isOwn = told(() => JsonObject.of(body).isText('message')) === true;
        return { items, isComplete: pages === 0 && isOwn };
      }
      const { found, next } = this.v1.read(() => {
        if (status !== 200) throw refusal(this.name, body);
        const answer = JsonObject.of(body);
        const isEmpty = !answer.has('transactions') && answer.is('total_count', '0');
        return {
          found: isEmpty ? [] : answer.list('transactions'),
          next: answer.optional('next_page_key'),
        };
      });
      items.push(...found);
      if (next === undefined || found.length === 0) return { items, isComplete: true };
      page = { page_key: next, pageKey: next };
    }
    return { items, isComplete: false };
  }

  /** Body of a 200. */
  private async get(path: string): Promise<unknown> {
    const { status, body } = await this.v1.get(path);
    if (status === 200) return body;
    throw this.v1.read(() => refusal(this.name, body));
  }

  private unsupported(reason: string): ProviderError {
    const message = `${this.name}: ${reason}`;
    return new ProviderError(this.name, 'unsupported', [{ kind: 'payin_method', message }]);
  }

  private readonly mismatch = (message: string) => providerError(this.name, 'mismatch', message);
}
