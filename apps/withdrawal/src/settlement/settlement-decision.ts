import type { Observation } from '../accounts/withdrawal-account.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';

/** How the newest of our own transactions stands; `none` when nothing was submitted. */
export type OwnTransaction = 'none' | 'pending' | 'success' | 'reverted' | 'dropped';

/** The chain decides; our own transaction only says what to do while nothing has happened. */
export function decideSettlement(
  observation: Observation,
  own: OwnTransaction,
): WithdrawalFact | 'submit-again' | null {
  switch (observation.state) {
    case 'landed':
      return { kind: 'landed', transactionHash: observation.transactionHash };
    case 'impossible':
      return { kind: 'failed', reason: observation.reason };
    case 'open':
      if (observation.isDead) return { kind: 'died' };
      if (own === 'reverted') return { kind: 'failed', reason: 'the transaction reverted.' };
      return own === 'dropped' ? 'submit-again' : null;
  }
}
