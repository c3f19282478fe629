import type { WithdrawAccount } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { PaymentStatus, TokenAmount, VerificationReason } from './payments.js';
import type { DecimalString, Timestamp, TokenIdentifier } from './wire.js';

/** Party or event behind an entry; `service` is the executor and its decisions. */
export type TimelineCause =
  'client' | 'owner' | 'chain' | 'provider' | 'bridge' | 'service' | 'deadline';

/** Every type of entry with its cause. */
export const TIMELINE_CAUSES = {
  'payment.confirmed': 'client',
  'owner.verified': 'owner',
  'retry.confirmed': 'client',
  'checkout.requested': 'client',
  'checkout.opened': 'provider',
  'checkout.reported': 'provider',
  'deposit.seen': 'chain',
  'deposit.confirmed': 'chain',
  'deposit.reorganised': 'chain',
  'payment.funded_in_part': 'chain',
  'payment.funded': 'chain',
  'payment.unfunded': 'chain',
  'leg.submitted': 'service',
  'leg.broadcast': 'service',
  'leg.replaced': 'service',
  'leg.waiting': 'service',
  'leg.attempt_failed': 'service',
  'leg.executed': 'chain',
  'leg.failed': 'service',
  'leg.reorganised': 'chain',
  'transfer.opened': 'chain',
  'transfer.filled': 'bridge',
  'transfer.arrived': 'chain',
  'transfer.unfilled': 'bridge',
  'transfer.refunded': 'chain',
  'transfer.lost': 'bridge',
  'transfer.reorganised': 'chain',
  'refund.submitted': 'service',
  'refund.broadcast': 'service',
  'refund.replaced': 'service',
  'refund.waiting': 'service',
  'refund.failed': 'service',
  'refund.uneconomic': 'service',
  'withdrawal.requested': 'client',
  'withdrawal.submitted': 'owner',
  'withdrawal.mined': 'chain',
  'withdrawal.failed': 'chain',
  'withdrawal.expired': 'deadline',
  'withdrawal.reorganised': 'chain',
  'deadline.passed': 'deadline',
  'payment.status_changed': 'service',
} as const satisfies Record<string, TimelineCause>;

export type TimelineEntryType = keyof typeof TIMELINE_CAUSES;

/** Name of a payment's deadline. */
export type TimelineDeadline = 'initiate_fund_by' | 'declaration_expires_at';

/** Facts of an entry; those that its type does not have are absent. */
export interface TimelineFacts {
  chain?: string;
  destination_chain?: string;
  transaction_hash?: string;
  block_number?: number;
  block_time?: Timestamp;
  token?: TokenIdentifier;
  amount?: DecimalString;
  output_token?: TokenIdentifier;
  output_amount?: DecimalString;
  /** Index of the leg. */
  leg?: number;
  /** Number of the transaction of a leg or refund, from 1. */
  attempt?: number;
  status?: PaymentStatus;
  previous_status?: PaymentStatus;
  reason?: string;
  /** At most 200 characters. */
  message?: string;
  verification?: VerificationReason;
  provider?: string;
  method?: PaymentMethod;
  provider_status?: string;
  paid_at?: Timestamp;
  deadline?: TimelineDeadline;
  until?: Timestamp;
  initiate_fund_by?: Timestamp;
  declaration_expires_at?: Timestamp;
  wallet_address?: string;
  withdraw_id?: string;
  withdraw_account?: WithdrawAccount;
  token_amounts?: TokenAmount[];
  accept_blame?: boolean;
  /** The withdrawal was not requested from this service. */
  is_external?: boolean;
  /** The deposit arrived after the deadline. */
  is_late?: boolean;
  /** The refund went to the payment's wallet; otherwise the owner directed it. */
  is_to_wallet?: boolean;
  parent_payment_id?: string;
  retry_payment_id?: string;
}

export type TimelineEntry = {
  /** Position in the payment's timeline, from 1; also the pagination key of the entries after it. */
  sequence: number;
  time: Timestamp;
  type: TimelineEntryType;
  cause: TimelineCause;
  /** W3C trace id of the request that led to it. */
  trace_id?: string;
} & TimelineFacts;

export const WAIT_KINDS = [
  'DEPOSIT',
  'CHECKOUT',
  'DELIVERY',
  'CONFIRMATIONS',
  'EXECUTION',
  'TRANSACTION',
  'BRIDGE',
  'WITHDRAWAL',
  'DEADLINE',
  'OWNER',
  'OPERATOR',
] as const;

/** Event that the payment waits for. */
export interface TimelineWait extends Pick<
  TimelineFacts,
  | 'chain'
  | 'transaction_hash'
  | 'token'
  | 'amount'
  | 'leg'
  | 'provider'
  | 'withdraw_id'
  | 'reason'
  | 'message'
> {
  kind: (typeof WAIT_KINDS)[number];
  until?: Timestamp;
}

/**
 * Place of money. `UNCONFIRMED`: deposits that are not final yet. `WALLET`: the one-time wallet. `BRIDGE`: sent and
 * not delivered. `DESTINATION`: paid out.
 */
export type FundsPlace = 'UNCONFIRMED' | 'WALLET' | 'BRIDGE' | 'DESTINATION';

export interface TimelineFunds {
  place: FundsPlace;
  chain: string;
  token: TokenIdentifier;
  amount: DecimalString;
}

/** Entries that were not stored, since the timeline was long already. */
export interface OmittedEntries {
  type: TimelineEntryType;
  count: number;
  last_time: Timestamp;
}

/** Answer of `GET /payments/timeline`: entries oldest first, and the payment's state now. */
export interface PaymentTimeline {
  payment_id: string;
  status: PaymentStatus;
  /** Null when nothing is to come. */
  waits_for: TimelineWait | null;
  funds: TimelineFunds[];
  entries: TimelineEntry[];
  omitted: OmittedEntries[];
  next_pagination_key: string | null;
}
