import type { PaymentState } from '@bascule/contracts';
import type { PaymentRecord, Withdrawal } from '../life-cycle/payment-record.js';

/** Owners may withdraw any number of times, so events carry the newest ones. */
const MOST = 20;

/** Withdrawals from the wallet in final blocks, for the service that has their requests. */
export function minedWithdrawals({
  withdrawals,
}: Pick<PaymentRecord, 'withdrawals'>): Pick<PaymentState, 'mined_withdrawals'> {
  const mined_withdrawals = withdrawals
    // A refund's log in the escrow does not tell which request it executed.
    .flatMap((withdrawal) => (withdrawal.transferId === null ? mined(withdrawal) : []))
    .sort((one, other) => other.minedAt - one.minedAt)
    .slice(0, MOST)
    .map(({ chain, nonce, transactionHash }) => ({
      chain,
      nonce: nonce.toString(),
      transaction_hash: transactionHash,
    }));
  return mined_withdrawals.length === 0 ? {} : { mined_withdrawals };
}

const mined = ({ chain, nonce, mined: block }: Withdrawal) =>
  block === null
    ? []
    : [
        {
          chain,
          nonce,
          transactionHash: block.transactionHash,
          minedAt: block.blockTimestamp.getTime(),
        },
      ];
