import type { Issue, ParkedFundIssue, WithdrawAccount } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { Fees, FulfilledStep, QuoteRequest, RouteStep } from './quotes.js';
import type {
  AssetAmount,
  AssetIdentifier,
  DecimalString,
  Geolocation,
  SmallestUnits,
  Timestamp,
  TokenIdentifier,
} from './wire.js';

export const PAYMENT_STATUSES = [
  'PENDING',
  'COMPLETE',
  'FAILED',
  'EXPIRED',
  'WITHDRAW_PENDING',
  'WITHDRAWN',
  'TAINTED',
  'UNCONFIRMED',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const WITHDRAWAL_STATUSES = ['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The declaration as the API shows it: integers as decimal strings, the native currency as the zero address. */
export interface DeclarationBody {
  factory: string;
  payment_id: string;
  owner: string;
  executor: string;
  destination: string;
  expiry: string;
  legs: {
    chain_id: string;
    input_token: string;
    max_input: string;
    fees: { receiver: string; cap: string }[];
    output_token: string;
    min_output: string;
    custom_calls: { target: string; data: string; value: string }[];
    bridge_adapter: string;
    min_bridged: string;
  }[];
}

export interface DepositInfo {
  deposit_token: TokenIdentifier;
  deposit_amount: DecimalString;
  deposit_address: string;
  deposit_chain: string;
}

export const VERIFICATION_REASONS = ['EVM_OWNER', 'EVM_WITHDRAWAL'] as const;
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

export const SIGNATURE_TYPES = ['EIP712', 'EIP191'] as const;
export type SignatureType = (typeof SIGNATURE_TYPES)[number];

/** A signature that the owner is asked for; `payload` is typed data as JSON, or a message. */
export interface Verification {
  reason: VerificationReason;
  signature_type: SignatureType;
  payload: string;
}

export type NextInstruction =
  | {
      type: 'ONRAMP';
      payment_id: string;
      funding_page_url: string;
      deposit_info: DepositInfo[];
    }
  | {
      type: 'USER_VERIFY';
      verification_token: string;
      verifications: Verification[];
    };

export interface PaymentWithdrawal {
  status: WithdrawalStatus;
  token_amounts: { token: TokenIdentifier; amount: DecimalString }[];
  /** Absent while only the chain is known to have it, which records nonce and transaction. */
  recipient_address?: string;
  transaction_hash: string | null;
  issues: Issue[];
}

export interface Payment {
  payment_id: string;
  org_id: string;
  status: PaymentStatus;
  funded: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
  initiate_fund_by: Timestamp;
  quoted: {
    output_amount: AssetAmount;
    fees: Fees;
    route: RouteStep[];
    onramp?: string;
    onramp_method?: PaymentMethod;
    latency_seconds: number;
  };
  fulfilled: {
    route: FulfilledStep[];
    output_amount: AssetAmount;
    fees: Fees;
    onramp?: string;
    onramp_method?: PaymentMethod;
  };
  current_prices: Record<AssetIdentifier, DecimalString>;
  price_currency: string;
  processing_addresses: { chain: string; address: string; factory: string }[];
  owner_chain: string;
  owner_address: string;
  destination_address: string;
  withdrawals: PaymentWithdrawal[] | null;
  client_redirect_url: string | null;
  geolocation: Geolocation | null;
  declaration: DeclarationBody;
  completed_at?: Timestamp;
  quote_request: QuoteRequest;
  customer_id?: string;
  label?: string;
  next_instruction?: NextInstruction;
  issues: Issue[];
  parent_payment_id?: string;
}

export interface BalanceResult {
  /** Checksummed. */
  address: string;
  token: TokenIdentifier;
  value:
    | {
        kind: 'amount';
        amount: DecimalString;
        withdrawal_fee: DecimalString;
        min_withdrawal_amount: DecimalString;
      }
    | { kind: 'error' };
  /** Absent where nothing can be withdrawn: no wallet of the organisation, or a frozen payment. */
  withdraw_account?: WithdrawAccount;
  /** `withdraw_account` in lower case. */
  account?: string;
}

export interface BalancesResponse {
  balance_results: BalanceResult[];
  future_withdrawable_balances: never[];
}

/** `POST /payments/issues`. */
export interface ParkedFundsResponse {
  /** Newest payment first. */
  issues: ParkedFundIssue[];
  /** `pagination_key` of the request for older payments; null when there are none. */
  next_pagination_key: string | null;
  /** Chains that could not be read: their issues come from the recorded deposits alone. */
  unread_chains: string[];
}

export interface TokenAmount {
  token: TokenIdentifier;
  amount: DecimalString;
}

export interface WithdrawResponse {
  type: 'eip712' | 'erc191';
  signature_type: SignatureType;
  payment_id: string;
  withdraw_id: string;
  withdraw_authorization: string;
  state_token: string;
}

export interface WithdrawalStatusResponse {
  withdraw_id: string;
  payment_id: string;
  status: WithdrawalStatus;
  transaction_hash: string | null;
}

/** An exact amount of a token, for the inside of the service. */
export interface TokenUnits {
  token: TokenIdentifier;
  amount: SmallestUnits;
}
