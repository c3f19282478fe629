import type { Feature } from './features.js';
import type { AmountIssue, AmountLimits, Issue } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { AssetAmount, AssetIdentifier, DecimalString, Timestamp } from './wire.js';

export interface CustomActions {
  actions: { type: 'CallImmediateAction'; target: string; value: string; calldata: string }[];
  user_estimated_gas: string;
}

export interface FixedInputRequest {
  kind: 'FIXED_INPUT';
  fixed_input_amount: AssetAmount;
  output_asset: AssetIdentifier;
  dest_address?: string;
  custom_actions?: CustomActions;
}

export interface FixedOutputRequest {
  kind: 'FIXED_OUTPUT';
  /** Declared minimum of the payment. */
  fixed_output_amount: AssetAmount;
  input_asset: AssetIdentifier;
  dest_address?: string;
  custom_actions?: CustomActions;
}

export interface QuoteRequest {
  request: FixedInputRequest | FixedOutputRequest;
  price_currency?: string;
  onramps?: string[];
  onramp_methods?: PaymentMethod[];
  customer_ip_address?: string;
  customer_geolocation?: { alpha3_country_code: string };
  customer_id?: string;
  parent_payment_id?: string;
  label?: string;
  tags?: string[];
  rev_share_name?: string;
  allow_unsafe_transfer_out?: boolean;
  show_all_issues?: boolean;
  allow_unsafe_slippage?: boolean;
  allow_exceed_max_input_limit?: boolean;
  use_intent_refund?: boolean;
  hops?: string[];
  features?: Feature[];
}

/** Decimal strings in `currency_symbol`; `total_fees` is the sum of the other three. */
export interface Fees {
  total_fees: DecimalString;
  conversion_fees: DecimalString;
  network_fees: DecimalString;
  business_fees: DecimalString;
  currency_symbol: string;
}

export type RouteStepType = 'ONRAMP' | 'USER_FUND' | 'ONCHAIN_STEP' | 'OFFRAMP';
/** `SPW` is the payment's one-time wallet; `SERVICE` receives the fees of the service. */
export type RouteAccount = 'USER' | 'DEST' | 'SPW' | 'BRIDGE' | 'REV_SHARE' | 'SERVICE';
/**
 * Kind of a change. `APPROVAL`: a custom action sets this allowance of a listed token. `SIDE_EFFECT`: any other custom
 * action, with the native currency that it sends, else 0 of the output token; it does not name the tokens that move.
 */
export type RouteProperty = 'BALANCE' | 'APPROVAL' | 'SIDE_EFFECT';
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

export interface RouteChange {
  account: RouteAccount;
  resource: { asset: AssetIdentifier; property: RouteProperty };
  amount: DecimalString;
  /** Absent until it is known. */
  tx_id?: string;
}

export interface RouteStep {
  type: RouteStepType;
  net_effect: { consume: RouteChange[]; produce: RouteChange[] };
  pieces_info: { type: PieceType; [detail: string]: unknown }[];
  step_index: number;
}

export type FulfilledStepStatus =
  'PENDING' | 'ATTEMPT_FAILED' | 'COMPLETE' | 'FAILED' | 'UNREACHABLE';

export interface FulfilledStep extends RouteStep {
  status: FulfilledStepStatus;
  /** Absent until the step has a transaction. */
  transaction_hash?: string;
}

export interface Quote {
  payment_id: string;
  output_amount: AssetAmount;
  fees: Fees;
  route: RouteStep[];
  /** Absent when the input is a token. */
  onramp?: string;
  onramp_method?: PaymentMethod;
  latency_seconds: number;
}

export interface QuoteFailure {
  service_ids: string[];
  latency_seconds: number;
  issues: Issue[];
}

/** Limits of a provider or bridge, in the asset of the request. */
export interface SourceLimits extends AmountLimits {
  source: string;
}

export interface QuotesResponse {
  quote_request: QuoteRequest;
  quotes: Quote[];
  current_prices: Record<AssetIdentifier, DecimalString>;
  price_currency: string;
  state_token: string;
  quoted_at: Timestamp;
  accept_by: Timestamp;
  fault: AmountIssue | Issue | null;
  failures: QuoteFailure[];
  limits: SourceLimits[];
}
