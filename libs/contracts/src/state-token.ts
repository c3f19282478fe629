import type { KeyMode } from './http/keys.js';
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

/** Bridge from a leg's chain to the next leg's chain. */
export interface PlannedBridge {
  /** The bridge's name, e.g. `intent_escrow`. */
  name: string;
  /** The adapter contract on the leg's chain, which the owner's declaration names. */
  adapter: string;
  /** Quoted delivery, in the next leg's input token. */
  delivered_amount: SmallestUnits;
  /** Smallest allowed delivery, as declared by the owner. */
  min_bridged: SmallestUnits;
}

/** Goal of a leg; its venue, path and calls are chosen at execution. */
export interface PlannedLeg {
  chain: string;
  input_token: TokenIdentifier;
  /** Quoted input: the amount to convert or pay out, plus all fees. */
  input_amount: SmallestUnits;
  /** Upper bound of what the leg may take, fees included. */
  max_input: SmallestUnits;
  fees: PlannedFee[];
  output_token: TokenIdentifier;
  output_amount: SmallestUnits;
  min_output: SmallestUnits;
  /** On every leg but the last. */
  bridge?: PlannedBridge;
  /** Most gas of the leg's transaction; none in plans of older versions. */
  gas_limit?: string;
  /** Gas that the network fee pays for; none in plans of older versions. */
  gas?: string;
  /** Cost that the network fee repays, in wei: that gas at the quoted price, and the data fee of a rollup. */
  gas_cost?: string;
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
      /** Quoted delivery of the provider, in the deposit token. */
      delivery_amount: SmallestUnits;
    };

export interface PaymentPlan {
  funding: PlannedFunding;
  /** Deposit required before the first leg runs. */
  deposit: { token: TokenIdentifier; required_amount: SmallestUnits };
  legs: PlannedLeg[];
}

/** Content of a quote's `state_token`: everything that a confirmation needs. */
export interface QuoteState {
  org_id: string;
  /** Mode of the key that quoted, `live` where absent: also in tokens of versions that do not know test keys. */
  mode?: KeyMode;
  quote_request: QuoteRequest;
  quotes: { quote: Quote; plan: PaymentPlan }[];
  current_prices: Record<AssetIdentifier, DecimalString>;
  price_currency: string;
  geolocation: Geolocation | null;
  /** Places where the customer may also be; all are checked at the confirm. None in tokens of older versions. */
  further_places?: Geolocation[];
  /** True when a secret key stated the `customer_id`; a publishable key's is anybody's word. */
  is_customer_vouched?: boolean;
  quoted_at: Timestamp;
  accept_by: Timestamp;
}
