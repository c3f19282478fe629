/** Refusal of a command; the message contains the reason. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Wrong command line: the caller shows the usage of the group. */
export class UsageError extends OperatorError {}
