import type { TokenAmount, WithdrawalStatus } from '../http/payments.js';
import type { WithdrawAccount } from '../http/issues.js';
import type { Timestamp } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** A withdrawal of a payment's money by its owner. */
export interface WithdrawalState extends Versioned {
  /** Id of the withdrawal. */
  withdraw_id: string;
  /** Id of the payment. */
  payment_id: string;
  /** Id of the payment's organisation. */
  org_id: string;
  /** Name of the chain on which the money is withdrawn. */
  chain: string;
  /** Address of the payment's one-time wallet on the chain. */
  wallet_address: string;
  /** Account that the money is withdrawn from. */
  withdraw_account: WithdrawAccount;
  /** The order that an `INTENT` withdrawal refunds, as stored in the escrow; absent for other withdrawals. */
  order_id?: string;
  /** Tokens to withdraw, each with its amount in whole units. */
  token_amounts: TokenAmount[];
  /** Address that receives the money. */
  recipient_address: string;
  /** True where a pending payment expires by the withdrawal, even if something is left. */
  accept_blame: boolean;
  /** The authorization's nonce as a decimal string; on chain only for `SPW`. */
  nonce: string;
  /** True once the owner's signature was accepted and a transaction recorded. */
  submitted: boolean;
  /** Status of the withdrawal. */
  status: WithdrawalStatus;
  /** Hash of its transaction; null until one is known. */
  transaction_hash: string | null;
  /** Reason of a failure; null without one. */
  failure: string | null;
  /** Time from which the owner's authorization is no longer accepted. */
  expires_at: Timestamp;
  /** Time of the last change. */
  updated_at: Timestamp;
}

/** Party of a payment that is sanctioned, found by screening of a withdrawal. */
export interface SanctionedParty {
  /** Id of the payment. */
  payment_id: string;
  /** Id of the payment's organisation. */
  org_id: string;
  /** Role of the sanctioned address in the payment. */
  party: 'owner' | 'destination';
}

/** Transaction of a withdrawal that a node has accepted; an earlier one of the withdrawal may still be mined instead. */
export interface BroadcastWithdrawal {
  /** Id of the withdrawal. */
  withdraw_id: string;
  /** Id of the payment. */
  payment_id: string;
  /** Id of the payment's organisation. */
  org_id: string;
  /** Name of the chain on which the money is withdrawn. */
  chain: string;
  /** Account that the money is withdrawn from. */
  withdraw_account: WithdrawAccount;
  /** Hash of the transaction. */
  transaction_hash: string;
  /** True for one that moves no money, and only uses the nonce of those before. */
  is_cancellation: boolean;
}

/** Unix seconds from which the chain refuses an authorization with this nonce: its upper 64 bits. */
export const nonceExpiresAt = (nonce: bigint): bigint => nonce >> 192n;

export const WITHDRAWAL_EVENT_TYPES = [
  'withdrawal.requested',
  'withdrawal.submitted',
  'withdrawal.succeeded',
  'withdrawal.failed',
  'withdrawal.expired',
  'withdrawal.party_sanctioned',
  'withdrawal.broadcast',
] as const;
type PartySanctioned = 'withdrawal.party_sanctioned';
type Broadcast = 'withdrawal.broadcast';
/** Events that carry the state of a withdrawal. */
export type WithdrawalEventType = Exclude<
  (typeof WITHDRAWAL_EVENT_TYPES)[number],
  PartySanctioned | Broadcast
>;
export type WithdrawalEvent =
  | EventEnvelope<WithdrawalEventType, WithdrawalState>
  | EventEnvelope<PartySanctioned, SanctionedParty>
  | EventEnvelope<Broadcast, BroadcastWithdrawal>;
