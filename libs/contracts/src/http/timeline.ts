import type { WithdrawAccount } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { PaymentStatus, TokenAmount, VerificationReason } from './payments.js';
import type {
  ChainName,
  DecimalString,
  EvmAddress,
  ProviderName,
  Timestamp,
  TokenIdentifier,
  TransactionHash,
  Uuid,
} from './wire.js';

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
  'withdrawal.broadcast': 'service',
  'withdrawal.mined': 'chain',
  'withdrawal.failed': 'chain',
  'withdrawal.expired': 'deadline',
  'withdrawal.reorganised': 'chain',
  'deadline.passed': 'deadline',
  'payment.status_changed': 'service',
} as const satisfies Record<string, TimelineCause>;

/** Type of an entry. Later versions may add types: show one that you do not know by its name. */
export type TimelineEntryType = keyof typeof TIMELINE_CAUSES;

/** Name of a payment's deadline. */
export type TimelineDeadline = 'initiate_fund_by' | 'declaration_expires_at';

/** Facts of an entry; a fact that its type does not have is absent. */
export interface TimelineFacts {
  /** Chain of the fact. */
  chain?: ChainName;
  /** Chain that a transfer goes to. */
  destination_chain?: ChainName;
  /** Transaction of the fact. */
  transaction_hash?: TransactionHash;
  /**
   * Number of the block.
   * @asType integer
   */
  block_number?: number;
  /** Time of the block. */
  block_time?: Timestamp;
  /** Token that moved. */
  token?: TokenIdentifier;
  /** Amount in whole units of the token. */
  amount?: DecimalString;
  /** Token that came out. */
  output_token?: TokenIdentifier;
  /** Amount in whole units of the output token. */
  output_amount?: DecimalString;
  /**
   * Index of the leg, from 0.
   * @asType integer
   */
  leg?: number;
  /**
   * Number of the transaction of a leg or refund, from 1.
   * @asType integer
   */
  attempt?: number;
  /** Status from now on. */
  status?: PaymentStatus;
  /** Status before. */
  previous_status?: PaymentStatus;
  /** Reason, for programs: of a taint `owner`, `destination` or `sender`. */
  reason?: string;
  /** Error of the transaction or bridge, at most 200 characters. */
  message?: string;
  /** Purpose of the verified signature. */
  verification?: VerificationReason;
  /** Onramp provider. */
  provider?: ProviderName;
  /** Payment method. */
  method?: PaymentMethod;
  /** Status as the provider names it. */
  provider_status?: string;
  /** Time of the payment at the provider. */
  paid_at?: Timestamp;
  /** Deadline that passed. */
  deadline?: TimelineDeadline;
  /** Time until which the fact holds. */
  until?: Timestamp;
  /** Deadline of the deposit. */
  initiate_fund_by?: Timestamp;
  /** End of the declaration. */
  declaration_expires_at?: Timestamp;
  /** One-time wallet. */
  wallet_address?: EvmAddress;
  /** Id of the withdrawal. */
  withdraw_id?: Uuid;
  /** Source of the withdrawal. */
  withdraw_account?: WithdrawAccount;
  /** Withdrawn amounts. */
  token_amounts?: TokenAmount[];
  /** True if the owner gave up the rest of the payment. */
  accept_blame?: boolean;
  /** True if the withdrawal was not requested from this service. */
  is_external?: boolean;
  /** True if the deposit arrived after the deadline. */
  is_late?: boolean;
  /** True if the refund went to the payment's wallet; otherwise the owner directed it. */
  is_to_wallet?: boolean;
  /** Payment that this one retries. */
  parent_payment_id?: Uuid;
  /** Payment that retries this one. */
  retry_payment_id?: Uuid;
}

/** Fact of a payment. */
export type TimelineEntry = {
  /**
   * Position in the timeline, from 1; also the pagination key of the entries after it.
   * @asType integer
   */
  sequence: number;
  /** Time of the fact. */
  time: Timestamp;
  /** Type of the entry. */
  type: TimelineEntryType;
  /** Party or event behind it. */
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
  /** Kind of the event. */
  kind: (typeof WAIT_KINDS)[number];
  /** Time at which the wait ends. */
  until?: Timestamp;
}

/**
 * Place of money. `UNCONFIRMED`: deposits that are not final yet. `WALLET`: the one-time wallet. `BRIDGE`: sent and
 * not delivered. `DESTINATION`: paid out.
 */
export type FundsPlace = 'UNCONFIRMED' | 'WALLET' | 'BRIDGE' | 'DESTINATION';

/** Money of the payment at one place. */
export interface TimelineFunds {
  /** Place of the money. */
  place: FundsPlace;
  /** Chain of the money. */
  chain: ChainName;
  /** Token of the amount. */
  token: TokenIdentifier;
  /** Amount in whole units. */
  amount: DecimalString;
}

/** Entries that were not stored, since the timeline was long already. */
export interface OmittedEntries {
  /** Type of the entries. */
  type: TimelineEntryType;
  /**
   * Number of omitted entries.
   * @asType integer
   */
  count: number;
  /** Time of the last one. */
  last_time: Timestamp;
}

/** Facts of a payment, oldest first, and its state now. */
export interface PaymentTimeline {
  /** Id of the payment. */
  payment_id: Uuid;
  /** Status now. */
  status: PaymentStatus;
  /** Event that the payment waits for; null when nothing is to come. */
  waits_for: TimelineWait | null;
  /** Places of the payment's money now. */
  funds: TimelineFunds[];
  /** Facts, oldest first. */
  entries: TimelineEntry[];
  /** Entries that were not stored, by type. */
  omitted: OmittedEntries[];
  /** `pagination_key` of the entries after these; null at the end. */
  next_pagination_key: string | null;
}
