/** A transaction would cost more than its bound at today's fees; nothing was recorded. Try again when gas is cheaper. */
export class TransactionTooExpensiveError extends Error {
  constructor(
    readonly reference: string,
    /** Wei. */
    readonly maxCost: bigint,
  ) {
    super(`${reference} would cost more than ${maxCost} wei`);
    this.name = 'TransactionTooExpensiveError';
  }
}
