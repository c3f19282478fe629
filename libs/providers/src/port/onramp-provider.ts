import type {
  DecimalString,
  Geolocation,
  PaymentMethod,
  Place,
  TokenIdentifier,
} from '@bascule/contracts';

/** Tokens, currencies, limits and places of a provider, by which quotes can be refused up front. */
export interface OnrampCoverage {
  fiats: OnrampFiat[];
  tokens: OnrampSoldToken[];
  /** Allowed customer locations; everywhere when absent, here and below. */
  places?: OnrampPlaces;
}

export interface OnrampSoldToken {
  token: TokenIdentifier;
  places?: OnrampPlaces;
}

/** Allow list and deny list of places; both absent means everywhere. */
export interface OnrampPlaces {
  only?: Place[];
  except?: Place[];
}

export interface OnrampFiat {
  /** Lower-case fiat code. */
  code: string;
  methods: OnrampMethodLimits[];
}

export interface OnrampMethodLimits extends OnrampLimits {
  method: PaymentMethod;
  places?: OnrampPlaces;
}

/** Decimal strings in the fiat the customer pays with, both ends included. */
export interface OnrampLimits {
  min: DecimalString;
  max: DecimalString;
}

/** Facts about the customer, for providers that price or refuse by them. */
export interface OnrampCustomer {
  /** Identifier in the organisation's system. */
  id?: string;
  /** Address that receives the output in the end; a hint until the payment is confirmed. */
  destinationAddress?: string;
  ipAddress?: string;
  geolocation?: Geolocation;
}

/** A token with its decimals: provider APIs use whole units, the services smallest units. */
export interface OnrampToken {
  token: TokenIdentifier;
  tokenDecimals: number;
}

export interface OnrampQuoteRequest extends OnrampToken {
  /** Lower-case fiat code. */
  fiat: string;
  /** Total that the customer pays, provider fees included. */
  fiatAmount: DecimalString;
  method: PaymentMethod;
  customer?: OnrampCustomer;
}

export interface OnrampQuote {
  providerQuoteId: string;
  /** Smallest units of the token delivered to the deposit address. */
  deliveryAmount: bigint;
  /** Fee in the fiat of the request; the rest of `fiatAmount` buys tokens. */
  fees: { total: DecimalString };
  /** Seconds from payment to delivery. */
  latencySeconds: number;
  limits: OnrampLimits;
}

export interface OnrampCheckoutRequest extends OnrampToken {
  /** Idempotency key of the order at the provider. */
  paymentId: string;
  providerQuoteId: string;
  fiat: string;
  fiatAmount: DecimalString;
  method: PaymentMethod;
  depositAddress: string;
  /** URL to which the provider's page returns the customer. */
  redirectUrl?: string;
  customer?: OnrampCustomer;
  /** IP address from which the checkout is opened, where the gateway knows it. */
  visitorAddress?: string;
}

export interface OnrampCheckout {
  /** Provider's own identifier; some report a status only by it. */
  checkoutId: string;
  url: string;
  expiresAt: Date;
}

/** A placed order: its identifiers and the terms that a status response must match. */
export interface OnrampOrderReference extends OnrampToken {
  paymentId: string;
  checkoutId: string;
  depositAddress: string;
}

/** `UNKNOWN` is any state that the adapter's table does not name; it means pending, never success or failure. */
export type OnrampOrderStatus =
  'CREATED' | 'AWAITING_PAYMENT' | 'PROCESSING' | 'DELIVERED' | 'FAILED' | 'REFUNDED' | 'UNKNOWN';

export interface OnrampOrder {
  status: OnrampOrderStatus;
  /** Set once the provider has the customer's money. */
  paidAt?: Date;
  transactionHash?: `0x${string}`;
  /** Smallest units claimed by the provider; only the chain proves the delivery. */
  deliveredAmount?: bigint;
  /** Provider's reason of a failed order. */
  reason?: string;
}

/** A verified callback: only a hint to query the order's status; it carries no state. */
export interface OnrampCallback {
  /** The provider's id of this notification, the same on every redelivery; for de-duplication. */
  callbackId: string;
  /** Null for a notification that is not about an order. */
  paymentId: string | null;
}

/** Node's incoming headers: lower-case names. */
export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Part of an onramp provider that needs its public API only. */
export interface OnrampQuoter {
  /** Lower case, as in `onramps[]` of a quote request. */
  readonly name: string;
  coverage(signal?: AbortSignal): Promise<OnrampCoverage>;
  quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote>;
}

/**
 * Port of an onramp provider. Adapters keep nothing that matters, throw only `ProviderError` (and what the store of
 * shared tokens throws), and compare every response with the request (amount, token, address).
 */
export interface OnrampProvider extends OnrampQuoter {
  /** Idempotent on `paymentId`: a repetition returns the same order's checkout. */
  createCheckout(request: OnrampCheckoutRequest, signal?: AbortSignal): Promise<OnrampCheckout>;
  status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder>;
  /**
   * Verifies the signature over the raw bytes; throws a `ProviderError` with code `bad_signature`. Strangers send
   * callbacks too, so it calls no provider.
   */
  parseCallback(headers: CallbackHeaders, rawBody: Buffer): Promise<OnrampCallback>;
}
