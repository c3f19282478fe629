import type {
  DeclarationBody,
  TokenAmount,
  WithdrawAccount,
  WithdrawalState,
  WithdrawalStatus,
} from '@bascule/contracts';
import type { StoredRefund } from './stored-refund.js';

/** Stored withdrawal. */
export interface WithdrawalRecord {
  id: string;
  version: number;
  paymentId: string;
  orgId: string;
  chain: string;
  walletAddress: string;
  ownerAddress: string;
  withdrawAccount: WithdrawAccount;
  tokenAmounts: TokenAmount[];
  recipientAddress: string;
  acceptBlame: boolean;
  /** Never reaches the chain for an `INTENT` withdrawal. */
  nonce: bigint;
  declaration: DeclarationBody;
  /** Text that the owner signs, exactly as returned by the request. */
  authorization: string;
  /** Null for a wallet. */
  refund: StoredRefund | null;
  /** First payment of the chain of retries that the reduced fee belongs to; null when the fee repays the gas. */
  reducedFeeRoot: string | null;
  /** Wei that each submission may cost: the fee's worth at the request. Null where the fee need not repay all gas. */
  maxCostWei: bigint | null;
  /** Wei that the full fee repays, at the prices of the request. Null where an older version requested it. */
  repaidWei: bigint | null;
  signature: string | null;
  submitted: boolean;
  /** Number of transactions recorded to submit it. */
  submissions: number;
  status: WithdrawalStatus;
  transactionHash: string | null;
  failure: string | null;
  /** First block that can contain it. */
  fromBlock: bigint;
  /** End of the authorization on chain. */
  expiresAt: Date;
  /** Trace of the request that confirmed it; before that, of the request that created it. */
  traceparent: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Builds the state that events carry. */
export const withdrawalState = (record: WithdrawalRecord): WithdrawalState => ({
  version: record.version,
  withdraw_id: record.id,
  payment_id: record.paymentId,
  org_id: record.orgId,
  chain: record.chain,
  wallet_address: record.walletAddress,
  withdraw_account: record.withdrawAccount,
  ...(record.refund !== null && { order_id: record.refund.order_id }),
  token_amounts: record.tokenAmounts,
  recipient_address: record.recipientAddress,
  accept_blame: record.acceptBlame,
  nonce: record.nonce.toString(),
  submitted: record.submitted,
  status: record.status,
  transaction_hash: record.transactionHash,
  failure: record.failure,
  expires_at: record.expiresAt.toISOString(),
  updated_at: record.updatedAt.toISOString(),
});
