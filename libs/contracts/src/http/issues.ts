import type { AssetIdentifier, DecimalString, TokenIdentifier, WrappedInteger } from './wire.js';

/** Inclusive limits; an absent one is open or unknown. */
export interface AmountLimits {
  min?: DecimalString;
  max?: DecimalString;
}

export type AmountIssueReason =
  'TOO_LOW' | 'TOO_HIGH' | 'UNEXPECTEDLY_LOW' | 'UNEXPECTEDLY_HIGH' | 'NO_VALID_AMOUNT' | 'UNKNOWN';

export interface AmountIssue {
  kind: 'amount' | 'amount-downstream';
  asset: AssetIdentifier;
  given: DecimalString;
  /** Amounts that would work, in the asset of the request. */
  limits: AmountLimits;
  /** Limits in the token behind an onramp, conversion or bridge that decides. */
  downstream_limits?: AmountLimits;
  /** Provider or venue that sets the limit. */
  source: string;
  message: string;
  reason: AmountIssueReason;
}

export interface FundingIssue {
  kind: 'funding';
  token: TokenIdentifier;
  /** In smallest units. */
  balance: WrappedInteger;
}

export interface OwnerIssue {
  kind: 'owner';
  message: string;
  mitigation: 'change' | 'verify';
}

export interface MessageIssue {
  kind:
    | 'geolocation'
    | 'provider'
    | 'payin_method'
    | 'payout_method'
    | 'destination'
    | 'other'
    | 'unknown';
  message: string;
}

export interface OrganisationConfigurationIssue {
  kind: 'org_configuration';
  message: string;
  rev_share_pct?: string;
  total_pct?: string;
  threshold?: string;
}

export interface KycIssue {
  kind: 'kyc';
  message: string;
  provider_id?: string;
}

export type WithdrawAccount = 'INTENT' | 'SPW' | 'RDW';

export interface ParkedFundIssue {
  kind: 'parked_fund';
  token: TokenIdentifier;
  /** Smallest units, wrapped. */
  balance: WrappedInteger;
  classification: 'MISSENT' | 'STUCK' | 'UNDERFUNDED' | 'STALLED' | 'EXTRA' | 'SLIPPED' | 'DELAYED';
  severity: 'HIGH' | 'LOW';
  payment_gist: {
    op: 'buy';
    destination_address: string;
    destination_token: AssetIdentifier;
  } | null;
  withdraw_from:
    | { withdraw_type: 'PAYMENT'; payment_id: string; withdraw_account: WithdrawAccount }
    | { withdraw_type: 'EXTRA_RDW_BALANCE'; rdw_address: string }
    | null;
}

/** Everything an error body or an `issues[]` field can hold, discriminated by `kind`. */
export type Issue =
  | AmountIssue
  | FundingIssue
  | OwnerIssue
  | MessageIssue
  | OrganisationConfigurationIssue
  | KycIssue
  | ParkedFundIssue;
