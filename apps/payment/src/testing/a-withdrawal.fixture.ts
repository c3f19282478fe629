import type { StoredPaymentStatus } from '@bascule/contracts';
import type { Withdrawal, WalletHolding } from '../life-cycle/payment-record.js';
import { HASH, minutesAfter } from './a-payment.fixture.js';

/** A withdrawal from the wallet on alphanet, mined in a block, with the holdings after it. */
export const aMinedWithdrawal = (
  blockNumber: bigint,
  remaining: readonly WalletHolding[] = [],
): Withdrawal => ({
  withdrawId: 'withdrawal-1',
  chain: 'alphanet',
  nonce: 1n,
  transferId: null,
  tokenAmounts: [],
  recipientAddress: null,
  acceptBlame: false,
  submitted: true,
  status: 'SUCCESS',
  transactionHash: HASH,
  failure: null,
  version: 0,
  mined: { transactionHash: HASH, blockNumber, blockTimestamp: minutesAfter(2), remaining },
});

/** Statuses of a payment with an open withdrawal. */
export const withdrawingFrom = (before: StoredPaymentStatus) =>
  ({ status: 'WITHDRAW_PENDING', statusBeforeWithdrawal: before }) as const;
