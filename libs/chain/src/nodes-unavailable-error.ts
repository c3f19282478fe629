import { BaseError } from 'viem';

/** Too few nodes of a chain answered, or they disagree. Try again. */
export class NodesUnavailableError extends BaseError {
  /** @param reasons of the nodes that failed */
  constructor(message: string, reasons: readonly unknown[] = []) {
    const cause = new AggregateError(reasons, `${reasons.length} nodes failed`);
    super(message, reasons.length > 0 ? { cause } : {});
    this.name = 'NodesUnavailableError';
  }
}
