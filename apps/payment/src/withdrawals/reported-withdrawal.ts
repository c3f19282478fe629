import type { WithdrawalState } from '@bascule/contracts';
import type { ReportedWithdrawal } from '../life-cycle/withdrawals.js';

/** Translates an event's state into the life cycle's terms: the escrow's order is the bridge's transfer. */
export const reportedWithdrawal = ({
  order_id,
  ...state
}: WithdrawalState): ReportedWithdrawal => ({
  ...state,
  transferId: order_id ?? null,
});
