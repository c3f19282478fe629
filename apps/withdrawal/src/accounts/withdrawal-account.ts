import type { Chain } from '@bascule/chain';
import type { WithdrawResponse } from '@bascule/contracts';
import type { Address, Hex } from 'viem';
import type { StoredRefund } from '../life-cycle/stored-refund.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import type { RequestedToken } from '../requests/requested-tokens.js';

/** A request whose payment, tokens and recipient are known and acceptable. */
export interface RequestedWithdrawal {
  payment: ProjectedPayment;
  chain: Chain;
  tokens: readonly RequestedToken[];
  recipient: Address;
  nonce: bigint;
  /** Unix seconds, of the chain. */
  validUntil: bigint;
}

/** What the owner is asked to sign. */
export interface UnsignedAuthorization {
  text: string;
  acceptBlame: boolean;
  /** Of an order in the escrow. */
  refund: StoredRefund | null;
}

export interface Call {
  to: Address;
  data: Hex;
}

/** What a confirmed block says about a withdrawal. */
export type Observation =
  /** Done as it was signed, whoever submitted it. */
  | { state: 'landed'; transactionHash: string }
  /** What it would have moved is gone for good. */
  | { state: 'impossible'; reason: string }
  | { state: 'open'; isDead: boolean };

/** A place that an owner's money is withdrawn from: all that differs between the places. */
export interface WithdrawalAccount {
  readonly signing: Pick<WithdrawResponse, 'type' | 'signature_type'>;
  /** @throws ServiceError for what cannot be withdrawn, or not yet */
  authorize(asked: RequestedWithdrawal): Promise<UnsignedAuthorization>;
  /** Whether an older client means this withdrawal, by the text that it says was signed. */
  isIdentifiedBy(record: WithdrawalRecord, payload: string): boolean;
  /** What the owner's signature is over. */
  digest(record: WithdrawalRecord): Hex;
  /**
   * The transaction that brings a signature onto the chain; what it needs there and is not there yet comes in the same
   * batch. Asks others than the database, so never while a lock is held.
   * @throws ServiceError when it could not succeed now
   */
  submission(record: WithdrawalRecord, signature: Hex): Promise<Call>;
  /** As of the newest block that has its confirmations. */
  observe(record: WithdrawalRecord): Promise<Observation>;
}
