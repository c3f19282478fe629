import type { KeyObject } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { compareDecimals } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type {
  CallbackHeaders,
  OnrampCallback,
  OnrampCheckout,
  OnrampCheckoutRequest,
  OnrampCoverage,
  OnrampCustomer,
  OnrampOrder,
  OnrampOrderReference,
  OnrampProvider,
  OnrampQuote,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import type { ProviderAdapter } from '../wire/provider-adapter.js';
import { providerError } from '../port/provider-error.js';
import type { ProviderConnection } from '../port/provider-connection.js';
import { readCallbackKey } from '../wire/callback-key.js';
import { JsonObject } from '../wire/json-object.js';
import { ProviderClient } from '../wire/provider-client.js';
import { requireSignature } from '../wire/signed-callback.js';
import { exactUnits } from '../wire/token-units.js';
import { methodOfWire, wireMethod } from './payment-methods.js';
import { readCoverage, readLimits, readToken } from './read-answers.js';
import { refusal } from './refusals.js';
import { orderStatus } from './statuses.js';

const SIGNATURE_HEADER = 'sandbox-signature';
const NATIVE = '0x0000000000000000000000000000000000000000';

/** Facts about the customer in the sandbox's names; undefined without any. */
function customerBody({
  id,
  destinationAddress,
  ipAddress,
  geolocation,
}: OnrampCustomer): Record<string, string> | undefined {
  const facts = {
    ...(id !== undefined && { id }),
    ...(destinationAddress !== undefined && { destination_address: destinationAddress }),
    ...(ipAddress !== undefined && { ip_address: ipAddress }),
    ...(geolocation && { country: geolocation.alpha3_country_code }),
  };
  return Object.keys(facts).length === 0 ? undefined : facts;
}

export const sandbox: ProviderAdapter = (entry) => {
  const callbackKey = readCallbackKey(entry);
  return (connection) => new SandboxProvider(connection, { callbackKey });
};

export interface SandboxProviderOptions {
  callbackKey: KeyObject;
  now?: () => Date;
  dispatcher?: Dispatcher;
}

/** Adapter of the API of `apps/sandbox-provider`. */
export class SandboxProvider implements OnrampProvider {
  readonly name: string;
  private readonly client: ProviderClient;
  private readonly callbackKey: KeyObject;

  private readonly now: () => Date;

  constructor(connection: ProviderConnection, options: SandboxProviderOptions) {
    this.name = connection.name;
    this.now = options.now ?? (() => new Date());
    this.callbackKey = options.callbackKey;
    this.client = new ProviderClient(connection, {
      headers: { authorization: `Bearer ${connection.apiKey}` },
      dispatcher: options.dispatcher,
    });
  }

  async coverage(signal?: AbortSignal): Promise<OnrampCoverage> {
    const { status, body } = await this.client.get('v1/coverage', signal);
    return this.client.read(() => {
      if (status !== 200) throw this.rejected(status);
      return readCoverage(JsonObject.of(body));
    });
  }

  async quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote> {
    const { status, body } = await this.client.post('v1/quotes', this.order(request), signal);
    return this.client.read(() => {
      if (status !== 200) throw refusal(this.name, body, request);
      const answer = JsonObject.of(body);
      this.mustMatch(answer, request);
      const fee = answer.object('fees').decimal('total');
      const deliveryAmount = exactUnits(answer, 'crypto_amount', request.tokenDecimals);
      if (deliveryAmount === 0n || compareDecimals(fee, request.fiatAmount) >= 0) {
        throw this.mismatch('quoted no tokens for the amount');
      }
      return {
        providerQuoteId: answer.string('id'),
        deliveryAmount,
        fees: { total: fee },
        latencySeconds: answer.count('delivery_seconds'),
        limits: readLimits(answer.object('limits')),
      };
    });
  }

  async createCheckout(
    request: OnrampCheckoutRequest,
    signal?: AbortSignal,
  ): Promise<OnrampCheckout> {
    const { status, body } = await this.client.post(
      'v1/checkouts',
      {
        ...this.order(request),
        partner_order_id: request.paymentId,
        quote_id: request.providerQuoteId,
        wallet_address: request.depositAddress,
        ...(request.redirectUrl === undefined ? {} : { redirect_url: request.redirectUrl }),
      },
      signal,
    );
    return this.client.read(() => {
      if (status !== 200 && status !== 201) throw refusal(this.name, body, request);
      const answer = JsonObject.of(body);
      const order = answer.object('order');
      this.mustMatch(order, request);
      this.mustBeOrder(order, request);
      return {
        checkoutId: order.string('id'),
        url: answer.httpUrl('checkout_url'),
        expiresAt: answer.date('expires_at'),
      };
    });
  }

  async status(reference: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder> {
    const path = `v1/orders/${encodeURIComponent(reference.paymentId)}`;
    const { status, body } = await this.client.get(path, signal);
    // Unknown to the provider so far: no conclusion is possible.
    if (status === 404) return { status: 'UNKNOWN' };
    return this.client.read(() => {
      if (status !== 200) throw this.rejected(status);
      const order = JsonObject.of(body).object('order');
      this.mustBeOrder(order, reference);
      if (readToken(order) !== reference.token.toLowerCase()) {
        throw this.mismatch('the order is for another token');
      }
      return {
        status: orderStatus(order.string('status')),
        ...(order.has('paid_at') ? { paidAt: order.date('paid_at') } : {}),
        ...(order.has('transaction_hash')
          ? { transactionHash: order.transactionHash('transaction_hash') }
          : {}),
        ...(order.has('delivered_amount')
          ? { deliveredAmount: exactUnits(order, 'delivered_amount', reference.tokenDecimals) }
          : {}),
        ...(order.has('failure_reason') ? { reason: order.message('failure_reason') } : {}),
      };
    });
  }

  async parseCallback(headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback> {
    const header = headers[SIGNATURE_HEADER];
    requireSignature(this.name, this.callbackKey, {
      header,
      scheme: 'v1',
      rawBody,
      now: this.now(),
    });
    return this.client.read(() => {
      const event = JsonObject.parse(rawBody, 'callback');
      return {
        callbackId: event.string('id'),
        paymentId: event.object('data').object('order').string('partner_order_id'),
      };
    });
  }

  private order(request: OnrampQuoteRequest): Record<string, unknown> {
    const { chain, address } = parseTokenIdentifier(request.token);
    const method = wireMethod(request.method);
    if (method === undefined) {
      throw providerError(this.name, 'unsupported', `${request.method} is not offered`);
    }
    return {
      fiat: request.fiat.toUpperCase(),
      fiat_amount: request.fiatAmount,
      payment_method: method,
      network: chain,
      contract: address === NATIVE ? null : address,
      customer: customerBody(request.customer ?? {}),
    };
  }

  private mustMatch(answer: JsonObject, asked: OnrampQuoteRequest): void {
    if (
      answer.string('fiat').toLowerCase() !== asked.fiat.toLowerCase() ||
      compareDecimals(answer.decimal('fiat_amount'), asked.fiatAmount) !== 0 ||
      methodOfWire(answer.string('payment_method')) !== asked.method ||
      readToken(answer) !== asked.token.toLowerCase()
    ) {
      throw this.mismatch('answered for another amount, asset or payment method');
    }
  }

  private mustBeOrder(
    order: JsonObject,
    asked: { paymentId: string; depositAddress: string },
  ): void {
    if (
      order.string('partner_order_id') !== asked.paymentId ||
      order.string('wallet_address').toLowerCase() !== asked.depositAddress.toLowerCase()
    ) {
      throw this.mismatch('the order is not the one that was placed');
    }
  }

  private readonly mismatch = (message: string) => providerError(this.name, 'mismatch', message);

  private readonly rejected = (status: number) =>
    providerError(this.name, 'rejected', `answered ${String(status)}`);
}
