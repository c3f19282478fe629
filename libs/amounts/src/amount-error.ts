export type AmountErrorCode = 'malformed' | 'excess_decimals' | 'too_large' | 'division_by_zero';

/** A malformed amount, or a calculation without a result. */
export class AmountError extends Error {
  constructor(
    readonly code: AmountErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'AmountError';
  }
}
