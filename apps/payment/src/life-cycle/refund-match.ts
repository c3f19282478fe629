import { formatAmount } from '@bascule/amounts';
import { decimalsOf } from './decimals.js';
import { legOfOrder } from './open-transfers.js';
import type { LegTransfer, PaymentRecord, TransferRefund, Withdrawal } from './payment-record.js';

type RefundedTransfer = LegTransfer & { readonly refunded: TransferRefund };

/**
 * Gives an order's refund to exactly one withdrawal: the one that its service says has done it; until it says so, one
 * that was submitted for the same recipient; else one that only the chain told of. The chain itself tells an order's
 * withdrawals apart by nothing but their recipients.
 * @param reported what the service has just told of
 */
export function matchRefund(
  payment: PaymentRecord,
  orderId: string | null,
  reported?: Withdrawal,
): PaymentRecord {
  const transfer = legOfOrder(payment, orderId)?.transfer;
  if (!transfer || !isRefunded(transfer)) return payment;
  const { transactionHash, blockNumber, blockTimestamp } = transfer.refunded;
  const ofOrder = payment.withdrawals.filter((withdrawal) => withdrawal.orderId === orderId);
  const done =
    reported?.status === 'SUCCESS'
      ? reported
      : (bestOf(ofOrder, transfer.refunded) ?? toldByChain(payment, transfer));
  const landed: Withdrawal = {
    ...done,
    submitted: true,
    status: 'SUCCESS',
    transactionHash,
    // What the wallet holds is no matter of the escrow's.
    landed: { transactionHash, blockNumber, blockTimestamp, remaining: [] },
  };
  const others = payment.withdrawals.flatMap((other): Withdrawal[] => {
    if (other === done || (other.orderId === orderId && other.version === 0)) return [];
    if (other.orderId !== orderId || other.landed === null) return [other];
    return [{ ...other, status: 'PENDING', transactionHash: null, landed: null }];
  });
  return { ...payment, withdrawals: [...others, landed] };
}

const isRefunded = (transfer: LegTransfer): transfer is RefundedTransfer =>
  transfer.refunded !== null;

function bestOf(
  ofOrder: readonly Withdrawal[],
  { recipient }: TransferRefund,
): Withdrawal | undefined {
  const fitting = ofOrder.filter((it) => isSameAddress(it.recipientAddress, recipient));
  return (
    fitting.find(({ landed }) => landed !== null) ??
    fitting.find(({ status, version }) => status === 'SUCCESS' && version > 0) ??
    fitting.find(({ submitted, status }) => submitted && status === 'PENDING')
  );
}

/** An order is refunded once, so its id serves as the nonce that a refund does not have on chain. */
function toldByChain(
  payment: PaymentRecord,
  { transfer, refunded: { recipient, amount } }: RefundedTransfer,
): Withdrawal {
  const token = transfer.inputToken;
  return {
    chain: transfer.originChain,
    nonce: BigInt(transfer.id),
    withdrawId: transfer.id,
    orderId: transfer.id,
    tokenAmounts: [{ token, amount: formatAmount(amount, decimalsOf(payment, token)) }],
    recipientAddress: recipient,
    acceptBlame: false,
    submitted: true,
    status: 'SUCCESS',
    transactionHash: null,
    failure: null,
    version: 0,
    landed: null,
  };
}

export const isSameAddress = (one: string | null, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();
