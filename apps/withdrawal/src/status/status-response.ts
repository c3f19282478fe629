import type { WithdrawalStatusResponse } from '@bascule/contracts';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

export const statusResponse = (record: WithdrawalRecord): WithdrawalStatusResponse => ({
  withdraw_id: record.id,
  payment_id: record.paymentId,
  status: record.status,
  transaction_hash: record.transactionHash,
});
