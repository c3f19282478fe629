import type { Fees, PaymentMethod, TokenIdentifier } from '@bascule/contracts';
import type { Amount } from './fee-breakdown.js';

export interface TokenAmount extends Amount {
  asset: TokenIdentifier;
}

export interface QuotedOnramp {
  provider: string;
  method: PaymentMethod;
  providerQuoteId: string;
  latencySeconds: number;
}

export interface QuotedBridge {
  name: string;
  /** The contract on the leg's chain that takes the leg's output. */
  adapter: string;
  /** What arrives on the next leg's chain. */
  delivered: TokenAmount;
  /** Of that, when no more than the leg's declared minimum is sent. */
  leastDelivered: bigint;
  latencySeconds: number;
}

/** What happens on one chain. */
export interface QuotedLeg {
  chain: string;
  input: TokenAmount;
  /** In the input token; taken before the rest is converted, bridged or paid out. */
  networkFee: bigint;
  /** The venue that converts; null where the output is the input's token. */
  venue: string | null;
  output: TokenAmount;
  /** Carries the output on; null on the last leg. */
  bridge: QuotedBridge | null;
}

/** A route with the amounts that its provider, its venues, its bridges and its chains were asked for. */
export interface QuotedRoute {
  /** What the customer gives. */
  input: Amount;
  /** Null when the customer sends tokens. */
  onramp: QuotedOnramp | null;
  /** At least one; each takes what the one before it delivers. */
  legs: readonly QuotedLeg[];
}

/** A route that can be quoted: all that it costs has a price. */
export interface PricedRoute extends QuotedRoute {
  fees: Fees;
}

function present<T>(leg: T | undefined): T {
  if (leg === undefined) throw new Error('a route has at least one leg');
  return leg;
}

/** What arrives at the deposit address; the input itself when tokens are sent. */
export const depositOf = ({ legs }: QuotedRoute): TokenAmount => present(legs.at(0)).input;

/** What the destination gets. */
export const outputOf = ({ legs }: QuotedRoute): TokenAmount => present(legs.at(-1)).output;

/** How often others decide on it how much arrives. */
export const uncertaintiesIn = ({ venue, bridge }: QuotedLeg): number =>
  Number(venue !== null) + Number(bridge !== null);
