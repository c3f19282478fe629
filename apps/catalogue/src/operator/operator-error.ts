/** What an operator asked for cannot be done; the message says why. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** The command line itself is wrong. */
export class UsageError extends OperatorError {}
