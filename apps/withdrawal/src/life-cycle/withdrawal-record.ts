import type {
  DeclarationBody,
  TokenAmount,
  WithdrawAccount,
  WithdrawalState,
  WithdrawalStatus,
} from '@bascule/contracts';
import type { StoredRefund } from './stored-refund.js';

/** A withdrawal as it is kept. */
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
  /** Of an `INTENT` withdrawal it never reaches the chain. */
  nonce: bigint;
  declaration: DeclarationBody;
  /** What the owner signs, exactly as it was handed out. */
  authorization: string;
  /** Of `INTENT` withdrawals. */
  refund: StoredRefund | null;
  signature: string | null;
  submitted: boolean;
  /** How many transactions were recorded to submit it. */
  submissions: number;
  status: WithdrawalStatus;
  transactionHash: string | null;
  failure: string | null;
  /** Nothing can have happened to it in an earlier block. */
  fromBlock: bigint;
  /** When the chain no longer takes it. */
  expiresAt: Date;
  /** The trace of the request that confirmed it; before that, of the one that asked for it. */
  traceparent: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The whole state, as its events carry it. */
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
