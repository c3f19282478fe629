import type { Chain } from '@bascule/chain';
import type { Issue, WithdrawResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import type { Address, Hex } from 'viem';
import type { StoredRefund } from '../life-cycle/stored-refund.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import type { SignedPart } from '../life-cycle/signed-part.js';
import type { RequestedToken } from '../requests/requested-tokens.js';

/** Validated request. */
export interface RequestedWithdrawal {
  caller: Caller;
  payment: ProjectedPayment;
  chain: Chain;
  tokens: readonly RequestedToken[];
  recipient: Address;
  nonce: bigint;
  /** Last second of the authorization, in unix time of the chain. */
  validUntil: bigint;
}

/** Authorization for the owner to sign. */
export interface UnsignedAuthorization {
  text: string;
  acceptBlame: boolean;
  /** Refund of an order; null for a wallet. */
  refund: StoredRefund | null;
  /** Refusal where the chain of retries has used its reduced fee; null when the fee repays the gas. */
  reducedFeeIssue: Issue | null;
  /** Wei of the gas that the full fee repays, at the prices of the request. */
  repaidWei: bigint;
}

export interface Call {
  to: Address;
  data: Hex;
}

export interface Submission extends Call {
  /** Gas that the full fee of the withdrawal repays. */
  paidGas: bigint;
}

/** State of a withdrawal in a confirmed block. */
export type Observation =
  /** Executed as signed, by us or by a third party. */
  | { state: 'settled'; transactionHash: string }
  /** The money is gone for good. */
  | { state: 'impossible'; reason: string }
  | { state: 'open'; isExpired: boolean };

/** Call whose result in a final block after the expiry tells whether the withdrawal happened. */
export interface OutcomeProbe extends Call {
  /** True where it did not happen, and never will. */
  isUnused: (result: Hex) => boolean;
}

/** Account that money is withdrawn from: everything that differs between wallet and escrow. */
export interface WithdrawalAccount {
  readonly signing: Pick<WithdrawResponse, 'type' | 'signature_type'>;
  /** @throws ServiceError when the money cannot be withdrawn, or not yet */
  authorize(request: RequestedWithdrawal): Promise<UnsignedAuthorization>;
  /** Reads what identifies a withdrawal from the signed text that an older client sent. */
  signedPartOf(payload: string): SignedPart;
  /** Digest that the owner signs. */
  digest(record: WithdrawalRecord): Hex;
  /**
   * Builds the transaction that submits a signature, with missing deployments in the same batch. Calls other services, so
   * it must not run while a database lock is held.
   * @throws ServiceError when the transaction could not succeed now
   */
  submission(record: WithdrawalRecord, signature: Hex): Promise<Submission>;
  /** Builds the call that tells the outcome of an expired withdrawal; several share one request. */
  probe(record: WithdrawalRecord): OutcomeProbe;
  /**
   * Reads the newest block with enough confirmations.
   * @param isDoubted whether it needs two of several nodes that the withdrawal is open, as for any end of it
   */
  observe(record: WithdrawalRecord, isDoubted: boolean): Promise<Observation>;
}
