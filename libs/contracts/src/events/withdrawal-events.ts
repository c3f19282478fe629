import type { TokenAmount, WithdrawalStatus } from '../http/payments.js';
import type { WithdrawAccount } from '../http/issues.js';
import type { Timestamp } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

export interface WithdrawalState extends Versioned {
  withdraw_id: string;
  payment_id: string;
  org_id: string;
  chain: string;
  wallet_address: string;
  withdraw_account: WithdrawAccount;
  /** The order that an `INTENT` withdrawal refunds, as stored in the escrow; absent for other withdrawals. */
  order_id?: string;
  token_amounts: TokenAmount[];
  recipient_address: string;
  accept_blame: boolean;
  /** The authorization's nonce as a decimal string; on chain only for `SPW`. */
  nonce: string;
  /** True once the owner's signature was accepted and a transaction recorded. */
  submitted: boolean;
  status: WithdrawalStatus;
  transaction_hash: string | null;
  failure: string | null;
  expires_at: Timestamp;
  updated_at: Timestamp;
}

/** Unix seconds from which the chain refuses an authorization with this nonce: its upper 64 bits. */
export const nonceExpiresAt = (nonce: bigint): bigint => nonce >> 192n;

export const WITHDRAWAL_EVENT_TYPES = [
  'withdrawal.requested',
  'withdrawal.submitted',
  'withdrawal.succeeded',
  'withdrawal.failed',
  'withdrawal.expired',
] as const;
export type WithdrawalEventType = (typeof WITHDRAWAL_EVENT_TYPES)[number];
export type WithdrawalEvent = EventEnvelope<WithdrawalEventType, WithdrawalState>;
