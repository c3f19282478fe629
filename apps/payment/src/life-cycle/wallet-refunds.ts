import type { TokenIdentifier } from '@bascule/contracts';
import { isSameAddress } from './addresses.js';
import { legAt, LifeCycleError, withLeg } from './legs.js';
import type {
  Deposit,
  Leg,
  LegTransfer,
  PaymentRecord,
  TransferRefund,
  WalletRefund,
} from './payment-record.js';
import { reportedStatus } from './transitions.js';
import { withdrawalSince } from './wallet-ledger.js';

export const NO_WALLET_REFUND: WalletRefund = {
  attempts: 0,
  isPending: false,
  isUneconomic: false,
};

const NOBODY = `0x${'0'.repeat(40)}`;

/** The refund went to the wallet without an instruction of the owner, which names a fee receiver. */
export const isWalletRefund = (
  { walletAddress }: PaymentRecord,
  refund: TransferRefund | null,
): refund is TransferRefund =>
  refund !== null &&
  isSameAddress(refund.recipient, walletAddress) &&
  isSameAddress(refund.feeReceiver, NOBODY);

/** The deposit is the refund of one of the payment's own transfers. */
export const isRefundedDeposit = (
  payment: PaymentRecord,
  { token, transactionHash, sum }: Deposit,
): boolean =>
  sum === undefined &&
  payment.legs.some(
    ({ transfer }) =>
      transfer?.transfer.inputToken === token &&
      transfer.refunded?.transactionHash === transactionHash,
  );

/** Refunded to the wallet, where neither a final deposit nor a later withdrawal counts it yet. */
export const isRefundArriving = (payment: PaymentRecord, { transfer }: Leg): boolean =>
  transfer !== null &&
  isWalletRefund(payment, transfer.refunded) &&
  !withdrawalSince(payment, transfer.transfer.originChain, transfer.refunded.blockNumber) &&
  !payment.deposits.some(
    ({ confirmed, token, transactionHash, sum }) =>
      confirmed &&
      sum === undefined &&
      token === transfer.transfer.inputToken &&
      transactionHash === transfer.refunded?.transactionHash,
  );

/** Amount of a token that refunds of the payment's own transfers brought to the wallet. */
export const refundedToWallet = (payment: PaymentRecord, token: TokenIdentifier): bigint =>
  payment.deposits
    .filter(
      (deposit) =>
        deposit.confirmed && deposit.token === token && isRefundedDeposit(payment, deposit),
    )
    .reduce((sum, { amount }) => sum + amount, 0n);

/** Owners that sign refunds themselves (`use_intent_refund`) keep the transfer in the bridge. */
const isLeftToService = ({ quoteRequest }: PaymentRecord): boolean =>
  quoteRequest.use_intent_refund !== true;

/** The service may refund the transfer to the wallet now, as far as the recorded facts say. */
export function isWalletRefundDue(
  payment: PaymentRecord,
  { transfer }: Leg,
  maxAttempts: number,
): boolean {
  if (transfer?.status !== 'UNFILLED' || !isLeftToService(payment)) return false;
  const { attempts, isPending } = transfer.walletRefund;
  return (
    !isPending &&
    attempts < maxAttempts &&
    reportedStatus(payment, false) !== 'TAINTED' &&
    !isBeingWithdrawn(payment, transfer.transfer.id)
  );
}

/** The owner's signed refund is submitted and open. */
export const isBeingWithdrawn = ({ withdrawals }: PaymentRecord, transferId: string): boolean =>
  withdrawals.some(
    ({ transferId: id, submitted, mined, status }) =>
      id === transferId &&
      submitted &&
      mined === null &&
      (status === 'PENDING' || status === 'SUCCESS'),
  );

/**
 * Marks the refund as submitted, after its transaction was recorded.
 * @throws LifeCycleError `refund_not_due`: roll the recording back.
 */
export function walletRefundSubmitted(
  payment: PaymentRecord,
  index: number,
  { transferId, attempt }: { transferId: string; attempt: number },
): PaymentRecord {
  const leg = legAt(payment, index);
  const { transfer } = leg;
  if (
    transfer?.transfer.id !== transferId ||
    transfer.walletRefund.attempts !== attempt - 1 ||
    !isWalletRefundDue(payment, leg, attempt)
  ) {
    throw new LifeCycleError('refund_not_due', `leg ${index} of ${payment.id} needs no refund`);
  }
  return withWalletRefund(payment, index, transfer, {
    attempts: attempt,
    isPending: true,
    isUneconomic: false,
  });
}

/** Records that an attempt can no longer refund the transfer; an earlier attempt changes nothing. */
export function walletRefundFailed(
  payment: PaymentRecord,
  index: number,
  attempt: number,
  now: Date,
): PaymentRecord {
  const { transfer } = legAt(payment, index);
  if (transfer === null) return payment;
  const { walletRefund } = transfer;
  if (walletRefund.attempts !== attempt || !walletRefund.isPending) return payment;
  const failed = { ...walletRefund, isPending: false };
  return withLeg(withWalletRefund(payment, index, transfer, failed), index, { dueAt: now });
}

/** Records whether the transfer is worth less than the refund's gas. */
export function walletRefundWeighed(
  payment: PaymentRecord,
  index: number,
  { transferId, isUneconomic }: { transferId: string; isUneconomic: boolean },
): PaymentRecord {
  const { transfer } = legAt(payment, index);
  if (transfer?.transfer.id !== transferId) return payment;
  const { walletRefund } = transfer;
  if (walletRefund.isUneconomic === isUneconomic) return payment;
  return withWalletRefund(payment, index, transfer, { ...walletRefund, isUneconomic });
}

const withWalletRefund = (
  payment: PaymentRecord,
  index: number,
  transfer: LegTransfer,
  walletRefund: WalletRefund,
): PaymentRecord => withLeg(payment, index, { transfer: { ...transfer, walletRefund } });
