/** Reports an answer that violates the contract; a retry would hide it. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}
