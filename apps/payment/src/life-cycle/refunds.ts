import { formatAmount } from '@bascule/amounts';
import { isSameAddress } from './addresses.js';
import { decimalsOf } from './payment-record.js';
import { legOfTransfer } from './open-transfers.js';
import type {
  Leg,
  LegTransfer,
  PaymentRecord,
  TransferRefund,
  Withdrawal,
} from './payment-record.js';
import { isWalletRefund } from './wallet-refunds.js';

type RefundedTransfer = LegTransfer & { readonly refunded: TransferRefund };

/**
 * Assigns a transfer's refund to exactly one withdrawal: the one reported as `SUCCESS`; before that, one submitted for
 * the same recipient; else a new one. On chain, only the recipient distinguishes the withdrawals of a transfer. A refund
 * to the wallet belongs to none: the money is the wallet's again.
 * @param reported the withdrawal that the service has just reported
 */
export function matchRefund(
  payment: PaymentRecord,
  transferId: string | null,
  reported?: Withdrawal,
): PaymentRecord {
  const transfer = legOfTransfer(payment, transferId)?.transfer;
  if (!transfer || !isRefunded(transfer)) return payment;
  if (isWalletRefund(payment, transfer.refunded)) return withoutRefund(payment, transferId);
  const { transactionHash, blockNumber, blockTimestamp } = transfer.refunded;
  const ofTransfer = payment.withdrawals.filter(
    (withdrawal) => withdrawal.transferId === transferId,
  );
  const done =
    reported?.status === 'SUCCESS'
      ? reported
      : (bestOf(ofTransfer, transfer.refunded) ?? knownFromChain(payment, transfer));
  const mined: Withdrawal = {
    ...done,
    submitted: true,
    status: 'SUCCESS',
    transactionHash,
    // A refund leaves the wallet's holdings as they are.
    mined: { transactionHash, blockNumber, blockTimestamp, remaining: [] },
  };
  const others = payment.withdrawals.flatMap((other): Withdrawal[] => {
    if (other === done || (other.transferId === transferId && other.version === 0)) return [];
    if (other.transferId !== transferId || other.mined === null) return [other];
    return [reopened(other)];
  });
  return { ...payment, withdrawals: [...others, mined] };
}

const reopened = (withdrawal: Withdrawal): Withdrawal => ({
  ...withdrawal,
  status: 'PENDING',
  transactionHash: null,
  mined: null,
});

/** Takes an earlier refund, which a reorg undid, from the withdrawals of the transfer. */
const withoutRefund = (payment: PaymentRecord, transferId: string | null): PaymentRecord => ({
  ...payment,
  withdrawals: payment.withdrawals.flatMap((withdrawal): Withdrawal[] => {
    if (withdrawal.transferId !== transferId) return [withdrawal];
    if (withdrawal.mined === null) return [withdrawal];
    return withdrawal.version === 0 ? [] : [reopened(withdrawal)];
  }),
});

const isRefunded = (transfer: LegTransfer): transfer is RefundedTransfer =>
  transfer.refunded !== null;

function bestOf(
  ofTransfer: readonly Withdrawal[],
  { recipient }: TransferRefund,
): Withdrawal | undefined {
  const fitting = ofTransfer.filter((it) => isSameAddress(it.recipientAddress, recipient));
  return (
    fitting.find(({ mined }) => mined !== null) ??
    fitting.find(({ status, version }) => status === 'SUCCESS' && version > 0) ??
    fitting.find(({ submitted, status }) => submitted && status === 'PENDING')
  );
}

/** A transfer is refunded once, so its id serves as the nonce that a refund does not have on chain. */
function knownFromChain(
  payment: PaymentRecord,
  { transfer, refunded: { recipient, amount } }: RefundedTransfer,
): Withdrawal {
  const token = transfer.inputToken;
  return {
    chain: transfer.originChain,
    nonce: BigInt(transfer.id),
    withdrawId: transfer.id,
    transferId: transfer.id,
    tokenAmounts: [{ token, amount: formatAmount(amount, decimalsOf(payment, token)) }],
    recipientAddress: recipient,
    acceptBlame: false,
    submitted: true,
    status: 'SUCCESS',
    transactionHash: null,
    failure: null,
    version: 0,
    mined: null,
  };
}

/** Removes refunds that a reorg undid: the money is in the bridge again. Returns the same payment without any. */
export function forgetRefunds(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
): PaymentRecord {
  const legs = payment.legs.map((leg): Leg => {
    const { transfer } = leg;
    const isUndone =
      transfer?.refunded != null &&
      transfer.transfer.originChain === chain &&
      transfer.refunded.blockNumber >= fromBlock;
    return isUndone
      ? { ...leg, transfer: { ...transfer, status: 'UNFILLED', refunded: null } }
      : leg;
  });
  return legs.some((leg, index) => leg !== payment.legs[index]) ? { ...payment, legs } : payment;
}
