import type { Quote, QuoteRequest } from './http/quotes.js';
import type { PaymentMethod } from './http/payment-methods.js';
import type {
  AssetIdentifier,
  DecimalString,
  Geolocation,
  SmallestUnits,
  Timestamp,
  TokenIdentifier,
} from './http/wire.js';

/** A fee a leg pays in its input token; `amount` is the quoted fee and the cap that the owner's declaration states. */
export interface PlannedFee {
  kind: 'network' | 'business';
  receiver: string;
  amount: SmallestUnits;
}

/** How a leg's output reaches the wallet on the next leg's chain. */
export interface PlannedBridge {
  /** The bridge's name, e.g. `intent_escrow`. */
  name: string;
  /** The adapter contract on the leg's chain, which the owner's declaration names. */
  adapter: string;
  /** What is quoted to arrive, in the next leg's input token. */
  delivered_amount: SmallestUnits;
  /** The least that must arrive, which the owner's declaration states. */
  min_bridged: SmallestUnits;
}

/** What one leg is to achieve; how it does so (venue, path, calls) is decided when it executes. */
export interface PlannedLeg {
  chain: string;
  input_token: TokenIdentifier;
  /** What the leg is quoted to take: the part to convert or pay out, plus all fees. */
  input_amount: SmallestUnits;
  /** Upper bound of what the leg may take, fees included. */
  max_input: SmallestUnits;
  fees: PlannedFee[];
  output_token: TokenIdentifier;
  output_amount: SmallestUnits;
  min_output: SmallestUnits;
  /** On every leg but the last. */
  bridge?: PlannedBridge;
}

export type PlannedFunding =
  | { kind: 'token' }
  | {
      kind: 'onramp';
      provider: string;
      method: PaymentMethod;
      fiat: string;
      fiat_amount: DecimalString;
      /** The provider's own identifier of its quote. */
      provider_quote_id: string;
      /** What the provider quoted to deliver, in the deposit token. */
      delivery_amount: SmallestUnits;
    };

export interface PaymentPlan {
  funding: PlannedFunding;
  /** What must have arrived before the first leg runs. */
  deposit: { token: TokenIdentifier; required_amount: SmallestUnits };
  legs: PlannedLeg[];
}

/** What a `state_token` of a quote response holds: all that confirming needs. */
export interface QuoteState {
  org_id: string;
  quote_request: QuoteRequest;
  quotes: { quote: Quote; plan: PaymentPlan }[];
  current_prices: Record<AssetIdentifier, DecimalString>;
  price_currency: string;
  geolocation: Geolocation | null;
  quoted_at: Timestamp;
  accept_by: Timestamp;
}
