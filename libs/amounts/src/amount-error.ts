export type AmountErrorCode = 'malformed' | 'excess_decimals' | 'too_large' | 'division_by_zero';

/** A text that is not an amount, or a calculation that has no answer. */
export class AmountError extends Error {
  constructor(
    readonly code: AmountErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'AmountError';
  }
}
