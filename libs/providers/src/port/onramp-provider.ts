import type {
  DecimalString,
  Geolocation,
  PaymentMethod,
  TokenIdentifier,
} from '@bascule/contracts';

/** What a provider sells, and for which money: everything that a quote can be refused for up front. */
export interface OnrampCoverage {
  fiats: OnrampFiat[];
  tokens: OnrampSoldToken[];
  /** Where its customers may be; anywhere when absent, as for the parts below. */
  places?: OnrampPlaces;
}

export interface OnrampSoldToken {
  token: TokenIdentifier;
  places?: OnrampPlaces;
}

/** An alpha-3 country code, with a subdivision's code where only that part of it is meant: `USA`, `USA-NY`. */
export type Place = string;

/** Everywhere, or only in some places; and not in others. */
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

/** Where the customer is, for providers that price or refuse by location. */
export interface OnrampCustomer {
  ipAddress?: string;
  geolocation?: Geolocation;
}

/** A token with its decimals: providers speak of whole units, the inside of the service of smallest ones. */
export interface OnrampToken {
  token: TokenIdentifier;
  tokenDecimals: number;
}

export interface OnrampQuoteRequest extends OnrampToken {
  /** Lower-case fiat code. */
  fiat: string;
  /** All that the customer pays, the provider's fees included. */
  fiatAmount: DecimalString;
  method: PaymentMethod;
  customer?: OnrampCustomer;
}

export interface OnrampQuote {
  providerQuoteId: string;
  /** Smallest units of the token that will reach the deposit address. */
  deliveryAmount: bigint;
  /** In the fiat of the request; the rest of `fiatAmount` buys tokens. */
  fees: { total: DecimalString };
  /** From the payment to the tokens' arrival. */
  latencySeconds: number;
  limits: OnrampLimits;
}

export interface OnrampCheckoutRequest extends OnrampToken {
  /** The provider's key of the order: the same id never opens a second one. */
  paymentId: string;
  providerQuoteId: string;
  fiat: string;
  fiatAmount: DecimalString;
  method: PaymentMethod;
  depositAddress: string;
  /** Where the provider's page sends the customer afterwards. */
  redirectUrl?: string;
  customer?: OnrampCustomer;
}

export interface OnrampCheckout {
  /** The provider's own identifier; some can be asked for a status only by it. */
  checkoutId: string;
  url: string;
  expiresAt: Date;
}

/** An order as we placed it: how to ask for it, and what the answer has to agree with. */
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
  /** Smallest units, as the provider claims; only the chain says what arrived. */
  deliveredAmount?: bigint;
  /** Why the order failed, in the provider's words. */
  reason?: string;
}

/** A verified callback is only a hint to ask for the status: it names the order and carries no state. */
export interface OnrampCallback {
  /** The provider's id of this notification, the same on every redelivery; for de-duplication. */
  callbackId: string;
  paymentId: string;
}

/** Node's incoming headers: lower-case names. */
export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * An onramp as the service sees it. Adapters are stateless and throw only `ProviderError`; what a provider answers is
 * compared with what was asked (amount, token, address) before it is returned.
 */
export interface OnrampProvider {
  /** Lower case, as in `onramps[]` of a quote request. */
  readonly name: string;
  coverage(signal?: AbortSignal): Promise<OnrampCoverage>;
  quote(request: OnrampQuoteRequest, signal?: AbortSignal): Promise<OnrampQuote>;
  /** Idempotent on `paymentId`: a repetition returns the same order's checkout. */
  createCheckout(request: OnrampCheckoutRequest, signal?: AbortSignal): Promise<OnrampCheckout>;
  status(order: OnrampOrderReference, signal?: AbortSignal): Promise<OnrampOrder>;
  /** Verifies the signature over the raw bytes; throws a `ProviderError` with code `bad_signature`. */
  parseCallback(headers: CallbackHeaders, rawBody: Buffer): OnrampCallback;
}
