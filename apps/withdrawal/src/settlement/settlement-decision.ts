import type { Observation } from '../accounts/withdrawal-account.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';

/** Status of our newest transaction; `none` before the first submission. */
export type OwnTransaction = 'none' | 'pending' | 'success' | 'reverted' | 'dropped';

/** Decides by the chain's state; our own transaction matters only while the withdrawal is open. */
export function decideSettlement(
  observation: Observation,
  own: OwnTransaction,
): WithdrawalFact | 'submit-again' | null {
  switch (observation.state) {
    case 'settled':
      return { kind: 'settled', transactionHash: observation.transactionHash };
    case 'impossible':
      return { kind: 'failed', reason: observation.reason };
    case 'open':
      if (observation.isExpired) return { kind: 'expired' };
      if (own === 'reverted') return { kind: 'failed', reason: 'the transaction reverted.' };
      return own === 'dropped' ? 'submit-again' : null;
  }
}

/** Whether the withdrawal should have ended, or be sent again: two of several nodes must then say that it is open. */
export const isEndExpected = (own: OwnTransaction, expiresAt: Date, now: Date): boolean =>
  own !== 'pending' || expiresAt <= now;
