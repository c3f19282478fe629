import type { FinalError } from '@bascule/testing';

/** Reports an answer that violates the contract; a retry would hide it. */
export class ContractViolation extends Error implements FinalError {
  override readonly name = 'ContractViolation';
  readonly isFinal = true;
}
