import type { Feature } from './features.js';
import type { AmountIssue, AmountLimits, Issue } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { TestOutcome } from './test-outcomes.js';
import type {
  AssetAmount,
  AssetIdentifier,
  ChainName,
  DecimalString,
  EvmAddress,
  FiatCode,
  IntegerString,
  ProviderName,
  Timestamp,
  TransactionHash,
  Uuid,
} from './wire.js';

/** Call of a contract on the last chain. */
export interface CustomAction {
  /** Kind of the action. */
  type: 'CallImmediateAction';
  /** Called contract. */
  target: EvmAddress;
  /** Native currency that is sent along, in wei. */
  value: IntegerString;
  /** Calldata: `0x` and an even number of hex digits. */
  calldata: string;
}

/** Calls that run after the conversion, in one transaction with it. */
export interface CustomActions {
  /** Calls in their order: at most 16, with 32 KiB of calldata together. */
  actions: CustomAction[];
  /** Gas of all calls together, in units of gas. */
  user_estimated_gas: IntegerString;
}

/** Request by what the user pays. */
export interface FixedInputRequest {
  /** Form of the request. */
  kind: 'FIXED_INPUT';
  /** Amount that the user pays. */
  fixed_input_amount: AssetAmount;
  /** Asset to deliver. */
  output_asset: AssetIdentifier;
  /** Destination, as a hint; the confirm decides, except with custom actions. */
  dest_address?: EvmAddress;
  /** Calls after the conversion. */
  custom_actions?: CustomActions;
}

/** Request by what the destination receives. */
export interface FixedOutputRequest {
  /** Form of the request. */
  kind: 'FIXED_OUTPUT';
  /** Amount that is delivered at least. */
  fixed_output_amount: AssetAmount;
  /** Asset that the user pays with. */
  input_asset: AssetIdentifier;
  /** Destination, as a hint; the confirm decides, except with custom actions. */
  dest_address?: EvmAddress;
  /** Calls after the conversion. */
  custom_actions?: CustomActions;
}

/** Request for quotes. */
export interface QuoteRequest {
  /** Assets and the fixed amount. */
  request: FixedInputRequest | FixedOutputRequest;
  /** Fiat code of prices and fees; `usd` by default. */
  price_currency?: FiatCode;
  /** Onramp providers to use, at most 32; all by default. */
  onramps?: ProviderName[];
  /** Payment methods to use, at most 32; all by default. */
  onramp_methods?: PaymentMethod[];
  /** IPv4 or IPv6 address of the end user, which decides what is available there. */
  customer_ip_address?: string;
  /** Place of the end user; it and `customer_ip_address` must both allow a route. */
  customer_geolocation?: {
    /** Country: ISO 3166-1 alpha-3 code. */
    alpha3_country_code: string;
  };
  /** Customer as the client names it, at most 255 characters. */
  customer_id?: string;
  /** Payment to retry. */
  parent_payment_id?: Uuid;
  /** Label of the client, at most 255 characters. */
  label?: string;
  /** Tags of the client: at most 32, each of at most 255 characters. */
  tags?: string[];
  /** Name of one of the organisation's revenue shares. */
  rev_share_name?: string;
  /** Skips the simulation of the payout to the destination. */
  allow_unsafe_transfer_out?: boolean;
  /** Reports every issue of every route instead of the most telling one per party. */
  show_all_issues?: boolean;
  /** Accepts a wider minimum output and a large price impact. */
  allow_unsafe_slippage?: boolean;
  /** Lifts the deployment's ceiling per payment; secret keys only. */
  allow_exceed_max_input_limit?: boolean;
  /** Leaves an unfilled order in the bridge's escrow for the owner's `INTENT` withdrawal. */
  use_intent_refund?: boolean;
  /** Chains that the route passes through, in order. */
  hops?: ChainName[];
  /** Routes in test that may be used. */
  features?: Feature[];
  /** Outcome that the payment is to have; test keys only. */
  test_outcome?: TestOutcome;
}

/** Fees in units of `currency_symbol`. */
export interface Fees {
  /** Sum of the other three. */
  total_fees: DecimalString;
  /** Fees of onramps, bridges and exchanges. */
  conversion_fees: DecimalString;
  /** Gas. */
  network_fees: DecimalString;
  /** Revenue shares. */
  business_fees: DecimalString;
  /** Fiat code of the fees. */
  currency_symbol: FiatCode;
}

/** Kind of a step: ramp in, deposit, transactions on one chain, or ramp out. */
export type RouteStepType = 'ONRAMP' | 'USER_FUND' | 'ONCHAIN_STEP' | 'OFFRAMP';
/** Holder of a balance. `SPW` is the payment's one-time wallet; `SERVICE` receives the fees of the service. */
export type RouteAccount = 'USER' | 'DEST' | 'SPW' | 'BRIDGE' | 'REV_SHARE' | 'SERVICE';
/**
 * Kind of a change. `APPROVAL`: a custom action sets this allowance of a listed token. `SIDE_EFFECT`: any other custom
 * action, with the native currency that it sends, else 0 of the output token; it does not name the tokens that move.
 */
export type RouteProperty = 'BALANCE' | 'APPROVAL' | 'SIDE_EFFECT';
/** Part of a step. */
export type PieceType =
  | 'user_fund'
  | 'onramp'
  | 'poll'
  | 'bridge'
  | 'rev_share'
  | 'transfer_out'
  | 'convert'
  | 'custom_call'
  | 'offramp';

/** Change of one account. */
export interface RouteChange {
  /** Changed account. */
  account: RouteAccount;
  /** Changed asset and property. */
  resource: {
    /** Changed asset. */
    asset: AssetIdentifier;
    /** Changed property. */
    property: RouteProperty;
  };
  /** Size of the change in whole units. */
  amount: DecimalString;
  /** Transaction of the change; absent until it is known. */
  tx_id?: string;
}

/** Step of a route. */
export interface RouteStep {
  /** Kind of the step. */
  type: RouteStepType;
  /** Changes by the whole step. */
  net_effect: {
    /** Decreases. */
    consume: RouteChange[];
    /** Increases. */
    produce: RouteChange[];
  };
  /** Parts of the step in their order. */
  pieces_info: {
    /** Kind of the part. */
    type: PieceType;
    [detail: string]: unknown;
  }[];
  /**
   * Position in the route, from 0.
   * @asType integer
   * @minimum 0
   */
  step_index: number;
}

/** Status of a step. `UNREACHABLE`: behind a failed one. */
export type FulfilledStepStatus =
  'PENDING' | 'ATTEMPT_FAILED' | 'COMPLETE' | 'FAILED' | 'UNREACHABLE';

/** Step of a route with its execution. */
export interface FulfilledStep extends RouteStep {
  /** Status of the step. */
  status: FulfilledStepStatus;
  /** Transaction of the step; absent until it has one. */
  transaction_hash?: TransactionHash;
}

/** Offer that can be confirmed. */
export interface Quote {
  /** Id of the payment, if this quote is confirmed (UUIDv7). */
  payment_id: Uuid;
  /** Estimated output. */
  output_amount: AssetAmount;
  /** Fees of the route. */
  fees: Fees;
  /** Steps in their order. */
  route: RouteStep[];
  /** Onramp provider; absent when the input is a token. */
  onramp?: ProviderName;
  /** Payment method; absent when the input is a token. */
  onramp_method?: PaymentMethod;
  /** Estimated duration in seconds, from funding to delivery. */
  latency_seconds: number;
}

/** Party or route that cannot serve the request. */
export interface QuoteFailure {
  /** Names of the parties. */
  service_ids: string[];
  /** Time that the party took to answer, in seconds. */
  latency_seconds: number;
  /** Reasons. */
  issues: Issue[];
}

/** Limits of a provider or bridge, in the asset of the request. */
export interface SourceLimits extends AmountLimits {
  /** Provider or bridge that sets the limits. */
  source: string;
}

/** Quotes and what the confirm needs. */
export interface QuotesResponse {
  /** Request, in normal form. */
  quote_request: QuoteRequest;
  /** Offers, highest output first. */
  quotes: Quote[];
  /** Prices of one unit in `price_currency`, keyed by asset. */
  current_prices: Record<AssetIdentifier, DecimalString>;
  /** Currency of prices and fees. */
  price_currency: FiatCode;
  /** Token that the confirm needs, opaque. */
  state_token: string;
  /** Time of the quotes. */
  quoted_at: Timestamp;
  /** Deadline of the confirm. */
  accept_by: Timestamp;
  /** Reason why nothing is quoted; else null. */
  fault: AmountIssue | Issue | null;
  /** Parties and routes that cannot serve the request. */
  failures: QuoteFailure[];
  /** Limits of the parties. */
  limits: SourceLimits[];
}
