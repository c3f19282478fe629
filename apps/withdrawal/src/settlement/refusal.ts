import { unavailable, type ServiceError } from '@bascule/contracts';
import { OrderClosedError } from '../accounts/escrow/order-closed-error.js';
import { GasPriceRoseError } from './gas-price-rose-error.js';
import { alreadyExecuted, expired, failed, wrongSignature } from './withdrawal-answers.js';
import { SubsidiesUsedError } from './subsidies-used-error.js';
import { WithdrawalNeedsMoreGasError } from './withdrawal-needs-more-gas-error.js';
import { WithdrawalRevertsError } from './withdrawal-reverts-error.js';
import { WithdrawalWouldRevertError } from './withdrawal-would-revert-error.js';

/** Reason why a signed withdrawal was not submitted. */
export interface Refusal {
  /**
   * - `refused`: the chain refuses the signed text.
   * - `unsubmittable`: it refuses only this signature, or the service its gas; the owner may sign again or submit it.
   * - `overtaken`: another transaction was first, and the confirmed chain decides.
   * - `undecided`: a later block decides, a lower gas price, or another attempt.
   */
  kind: 'refused' | 'unsubmittable' | 'overtaken' | 'undecided';
  /** Failure of the withdrawal, if it fails. */
  reason: string;
  /** Answer to a confirm. */
  answer: ServiceError;
}

/** Reads the refusal from an error of a submission; null for any other error. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof WithdrawalWouldRevertError) return revert(error.contractError);
  if (error instanceof WithdrawalNeedsMoreGasError || error instanceof WithdrawalRevertsError) {
    return { kind: 'unsubmittable', reason: error.message, answer: error };
  }
  if (error instanceof GasPriceRoseError || error instanceof SubsidiesUsedError) {
    return { kind: 'undecided', reason: error.message, answer: error };
  }
  if (error instanceof OrderClosedError) {
    return error.closedAs === 'filled'
      ? { kind: 'refused', reason: 'the order was filled.', answer: error }
      : { kind: 'overtaken', reason: 'the order was refunded.', answer: error };
  }
  return null;
}

function revert(contractError: string | null): Refusal {
  const reason = `the chain refuses it${contractError === null ? '' : ` (${contractError})`}.`;
  switch (contractError) {
    case 'WrongSignature':
      return { kind: 'unsubmittable', reason, answer: wrongSignature() };
    case 'AuthorizationDead':
    case 'RefundTextDead':
      return { kind: 'undecided', reason, answer: expired() };
    case 'NotRefundable':
      return { kind: 'undecided', reason, answer: notYet() };
    case 'NonceAlreadyUsed':
    case 'NotOpen':
      return { kind: 'overtaken', reason, answer: alreadyExecuted() };
    default:
      return { kind: 'refused', reason, answer: failed(reason) };
  }
}

const notYet = (): ServiceError =>
  unavailable('The order cannot be refunded yet. Try again later.');
