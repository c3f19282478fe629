import { BaseError } from 'viem';

/** Too few nodes of a chain answered, or they disagree. Try again. */
export class NodesUnavailableError extends BaseError {
  /** @param reasons of the nodes that failed */
  constructor(message: string, reasons: readonly unknown[] = []) {
    super(message, { cause: new AggregateError(reasons, `${reasons.length} nodes failed`) });
    this.name = 'NodesUnavailableError';
  }
}
