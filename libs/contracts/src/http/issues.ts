import type {
  AssetIdentifier,
  DecimalString,
  EvmAddress,
  TokenIdentifier,
  Uuid,
  WrappedInteger,
} from './wire.js';

/** Inclusive limits of an amount; an absent one is open or unknown. */
export interface AmountLimits {
  /** Smallest amount, in whole units. */
  min?: DecimalString;
  /** Largest amount, in whole units. */
  max?: DecimalString;
}

/** Reason why an amount does not work; `UNEXPECTEDLY_…` are judged by the output's value. */
export type AmountIssueReason =
  'TOO_LOW' | 'TOO_HIGH' | 'UNEXPECTEDLY_LOW' | 'UNEXPECTEDLY_HIGH' | 'NO_VALID_AMOUNT' | 'UNKNOWN';

/** Amount that cannot be used. */
export interface AmountIssue {
  /** `amount-downstream`: behind the first step of the route. */
  kind: 'amount' | 'amount-downstream';
  /** Asset of the given amount. */
  asset: AssetIdentifier;
  /** Given amount in whole units. */
  given: DecimalString;
  /** Amounts that would work, in the asset of the request. */
  limits: AmountLimits;
  /** Limits in the token behind an onramp, conversion or bridge that decides. */
  downstream_limits?: AmountLimits;
  /** Provider or venue that sets the limit. */
  source: string;
  /** Problem in words. */
  message: string;
  /** Reason, for programs. */
  reason: AmountIssueReason;
}

/** Deposit that does not fund the payment. */
export interface FundingIssue {
  /** Kind of the issue. */
  kind: 'funding';
  /** Deposited token. */
  token: TokenIdentifier;
  /** Deposited amount in the token's smallest unit. */
  balance: WrappedInteger;
}

/** Problem of the owner address. */
export interface OwnerIssue {
  /** Kind of the issue. */
  kind: 'owner';
  /** Problem in words. */
  message: string;
  /** Remedy: another owner address, or a signature of this one. */
  mitigation: 'change' | 'verify';
}

/** Problem that a text describes. */
export interface MessageIssue {
  /** Subject of the issue. */
  kind:
    | 'geolocation'
    | 'provider'
    | 'payin_method'
    | 'payout_method'
    | 'destination'
    | 'other'
    | 'unknown';
  /** Problem in words. */
  message: string;
}

/** Problem of the organisation's settings, such as revenue shares above the limit. */
export interface OrganisationConfigurationIssue {
  /** Kind of the issue. */
  kind: 'org_configuration';
  /** Problem in words. */
  message: string;
  /** Revenue share in percent. */
  rev_share_pct?: string;
  /** Sum of all revenue shares in percent. */
  total_pct?: string;
  /** Largest permitted sum in percent. */
  threshold?: string;
}

/** Identification that a provider demands of the customer. */
export interface KycIssue {
  /** Kind of the issue. */
  kind: 'kyc';
  /** Problem in words. */
  message: string;
  /** Provider that demands it. */
  provider_id?: string;
}

/** Place of a balance: `SPW` the one-time wallet, `INTENT` a bridge's escrow, `RDW` a reusable wallet (never returned). */
export type WithdrawAccount = 'INTENT' | 'SPW' | 'RDW';

/** Money at a deposit address that no payment uses. */
export interface ParkedFundIssue {
  /** Kind of the issue. */
  kind: 'parked_fund';
  /** Parked token. */
  token: TokenIdentifier;
  /** Balance in the token's smallest unit. */
  balance: WrappedInteger;
  /** Origin of the money: wrong token, failed step, too little, no progress, too much, slippage, or too late. */
  classification: 'MISSENT' | 'STUCK' | 'UNDERFUNDED' | 'STALLED' | 'EXTRA' | 'SLIPPED' | 'DELAYED';
  /** `HIGH` when the owner should act; `LOW` for dust and what resolves by itself. */
  severity: 'HIGH' | 'LOW';
  /** Purpose of the payment; null when it is unknown. */
  payment_gist: {
    /** Kind of payment. */
    op: 'buy';
    /** Address that the payment pays out to. */
    destination_address: EvmAddress;
    /** Asset that the payment delivers. */
    destination_token: AssetIdentifier;
  } | null;
  /** Source of a withdrawal; null when the API cannot withdraw it. */
  withdraw_from: PaymentWithdrawalSource | ReusableWalletSource | null;
}

/** Withdrawal from a payment. */
export interface PaymentWithdrawalSource {
  /** Kind of the source. */
  withdraw_type: 'PAYMENT';
  /** Payment to withdraw from. */
  payment_id: Uuid;
  /** `withdraw_account` for `POST /payments/withdraw`. */
  withdraw_account: WithdrawAccount;
}

/** Withdrawal from a reusable deposit wallet; never returned in this version. */
export interface ReusableWalletSource {
  /** Kind of the source. */
  withdraw_type: 'EXTRA_RDW_BALANCE';
  /** Address of the wallet. */
  rdw_address: EvmAddress;
}

/** Problem, discriminated by `kind`. */
export type Issue =
  | AmountIssue
  | FundingIssue
  | OwnerIssue
  | MessageIssue
  | OrganisationConfigurationIssue
  | KycIssue
  | ParkedFundIssue;
