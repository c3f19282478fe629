import { formatAmount } from '@bascule/amounts';
import { decimalsOf } from './decimals.js';
import { legAt } from './legs.js';
import type {
  Leg,
  LegTransfer,
  PaymentRecord,
  TransferRefund,
  Withdrawal,
} from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { afterLanding, isSameAddress, withWithdrawal } from './withdrawals.js';

/**
 * The chain gave an order's money back, whoever submitted that. The payment has nothing more to do, so what is left
 * elsewhere does not make it go on.
 */
export function refundLanded(
  payment: PaymentRecord,
  index: number,
  refund: TransferRefund,
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const { transfer } = legAt(payment, index);
  if (transfer === null) return payment;
  const { transactionHash, blockNumber, blockTimestamp } = refund;
  const withdrawal: Withdrawal = {
    ...(requested(payment, transfer, refund) ?? toldByChain(payment, transfer, refund)),
    submitted: true,
    status: 'SUCCESS',
    transactionHash,
    // What the wallet holds is no matter of the escrow's.
    landed: { transactionHash, blockNumber, blockTimestamp, remaining: [] },
  };
  const goesOn = isSameAddress(refund.recipient, payment.walletAddress);
  return afterLanding(withWithdrawal(payment, withdrawal), { isBlamed: true, goesOn }, policy, now);
}

/** The withdrawal that asked for it, as far as the chain tells them apart. */
function requested(
  { withdrawals }: PaymentRecord,
  { transfer }: LegTransfer,
  { recipient }: TransferRefund,
): Withdrawal | undefined {
  const fitting = withdrawals.filter(
    ({ orderId, recipientAddress }) =>
      orderId === transfer.id && isSameAddress(recipientAddress, recipient),
  );
  return (
    fitting.find(({ status }) => status === 'SUCCESS') ??
    fitting.find(({ submitted, status }) => submitted && status === 'PENDING') ??
    fitting[0]
  );
}

/** An order is refunded once, so its id serves as the nonce that a refund does not have on chain. */
function toldByChain(
  payment: PaymentRecord,
  { transfer }: LegTransfer,
  { recipient, amount }: TransferRefund,
): Omit<Withdrawal, 'submitted' | 'status' | 'transactionHash' | 'landed'> {
  const token = transfer.inputToken;
  return {
    chain: transfer.originChain,
    nonce: BigInt(transfer.id),
    withdrawId: transfer.id,
    orderId: transfer.id,
    tokenAmounts: [{ token, amount: formatAmount(amount, decimalsOf(payment, token)) }],
    recipientAddress: recipient,
    acceptBlame: false,
    failure: null,
    version: 0,
  };
}

/** Undoes what a reorganisation undid: the money is in the escrow again. */
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
  return { ...payment, legs };
}
