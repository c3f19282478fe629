import { ApiError } from './api-error.js';
import { paymentSecondsOf } from './late-customers.js';
import { refuseCustomer } from './refused-customers.js';

const DECIMAL = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const MAX_CUSTOMER_ID = 255;

/** Id of the customer, when the request has one; other facts about the customer are ignored. */
function customerId({ customer }: Record<string, unknown>): string | undefined {
  if (customer === undefined || customer === null) return undefined;
  const { id } = fieldsOf(customer);
  if (id === undefined) return undefined;
  if (typeof id !== 'string' || id.length > MAX_CUSTOMER_ID) {
    throw invalid('customer.id', `at most ${MAX_CUSTOMER_ID} characters`);
  }
  return id;
}

export interface RequestedQuote {
  fiat: string;
  fiatAmount: string;
  paymentMethod: string;
  network: string;
  contract: string;
}

export interface RequestedCheckout extends RequestedQuote {
  partnerOrderId: string;
  quoteId: string;
  walletAddress: string;
  redirectUrl: string | null;
  /** Delay between the customer's decision to pay and the arrival of the money. */
  paymentSeconds: number;
}

const invalid = (field: string, expected: string): ApiError =>
  new ApiError('invalid_request', `${field} has to be ${expected}.`);

function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body', 'a JSON object');
  }
  return body as Record<string, unknown>;
}

function text(fields: Record<string, unknown>, name: string, pattern: RegExp, expected: string) {
  const value = fields[name];
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(name, expected);
  return value;
}

export function readQuoteRequest(body: unknown): RequestedQuote {
  const fields = fieldsOf(body);
  refuseCustomer(customerId(fields));
  return {
    fiat: text(fields, 'fiat', /^[A-Za-z]{3}$/, 'a currency code').toUpperCase(),
    fiatAmount: text(fields, 'fiat_amount', DECIMAL, 'a decimal with at most two decimals'),
    paymentMethod: text(fields, 'payment_method', /^[a-z_]{1,40}$/, 'a payment method'),
    network: text(fields, 'network', /^[a-z]{1,40}$/, 'a network'),
    contract: text(fields, 'contract', ADDRESS, 'a contract address').toLowerCase(),
  };
}

export function readCheckoutRequest(body: unknown): RequestedCheckout {
  const fields = fieldsOf(body);
  return {
    ...readQuoteRequest(body),
    paymentSeconds: paymentSecondsOf(customerId(fields)),
    partnerOrderId: text(fields, 'partner_order_id', /^[\w-]{1,64}$/, 'at most 64 characters'),
    quoteId: text(fields, 'quote_id', /^[\w.-]{1,2000}$/, 'the id of a quote'),
    walletAddress: text(fields, 'wallet_address', ADDRESS, 'an address').toLowerCase(),
    redirectUrl:
      fields.redirect_url === undefined || fields.redirect_url === null
        ? null
        : readRedirect(text(fields, 'redirect_url', /^.{1,2000}$/, 'a URL')),
  };
}

function readRedirect(url: string): string {
  const scheme = URL.canParse(url) ? new URL(url).protocol : 'javascript:';
  if (['javascript:', 'data:', 'blob:', 'vbscript:'].includes(scheme)) {
    throw invalid('redirect_url', 'a URL to go to');
  }
  return url;
}

const OUTCOMES = ['delivered', 'failed', 'refunded'] as const;

/** Undefined keeps the current value. */
export interface RequestedSimulation {
  losesCallbacks?: boolean;
  deliverBps?: number;
  deliverySeconds?: number;
  outcome?: (typeof OUTCOMES)[number];
}

export function readSimulation(body: unknown): RequestedSimulation {
  const fields = fieldsOf(body ?? {});
  const outcome = OUTCOMES.find((known) => known === fields.outcome);
  if (fields.outcome !== undefined && outcome === undefined) {
    throw invalid('outcome', `one of ${OUTCOMES.join(', ')}`);
  }
  if (fields.lose_callbacks !== undefined && typeof fields.lose_callbacks !== 'boolean') {
    throw invalid('lose_callbacks', 'a boolean');
  }
  return {
    ...(fields.lose_callbacks === undefined ? {} : { losesCallbacks: fields.lose_callbacks }),
    ...count(fields, 'deliver_bps', 'deliverBps', 20_000),
    ...count(fields, 'delivery_seconds', 'deliverySeconds', 3_600),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function count<Key extends string>(
  fields: Record<string, unknown>,
  name: string,
  key: Key,
  max: number,
): Partial<Record<Key, number>> {
  const value = fields[name];
  if (value === undefined) return {};
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
    throw invalid(name, `an integer from 0 to ${max}`);
  }
  return { [key]: value } as Record<Key, number>;
}
