import type { Fees, PaymentMethod, TokenIdentifier } from '@bascule/contracts';
import type { Amount } from '../fees/fee-breakdown.js';
import type { RouteLeg } from '../routing/routing-graph.js';

export interface TokenAmount extends Amount {
  asset: TokenIdentifier;
}

export interface QuotedOnramp {
  provider: string;
  method: PaymentMethod;
  providerQuoteId: string;
  latencySeconds: number;
}

/** A route with the amounts that its provider, its venue and its chain were asked for. */
export interface QuotedRoute {
  leg: RouteLeg;
  /** What the customer gives. */
  input: Amount;
  /** Null when the customer sends tokens. */
  onramp: QuotedOnramp | null;
  /** What arrives at the deposit address; the input itself when tokens are sent. */
  deposit: TokenAmount;
  /** In the deposited token; taken before the rest is converted or paid out. */
  networkFee: bigint;
  /** The venue that converts; null for a transfer. */
  venue: string | null;
  output: TokenAmount;
}

/** A route that can be quoted: all that it costs has a price. */
export interface PricedRoute extends QuotedRoute {
  fees: Fees;
}
