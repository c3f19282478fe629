import type { WithdrawalFact } from '../life-cycle/transitions.js';

/** What a confirmed block says about a withdrawal's nonce. */
export type NonceObservation =
  { state: 'used'; transactionHash: string } | { state: 'unused'; isDead: boolean };

/** How the newest of our own transactions stands; `none` when nothing was submitted. */
export type OwnTransaction = 'none' | 'pending' | 'success' | 'reverted' | 'dropped';

/** The chain decides; our own transaction only says what to do while the nonce is unused. */
export function decide(
  observation: NonceObservation,
  own: OwnTransaction,
): WithdrawalFact | 'submit-again' | null {
  if (observation.state === 'used') {
    return { kind: 'landed', transactionHash: observation.transactionHash };
  }
  if (observation.isDead) return { kind: 'died' };
  if (own === 'reverted') return { kind: 'reverted', reason: 'the transaction reverted.' };
  return own === 'dropped' ? 'submit-again' : null;
}
