import type { Hash } from 'viem';

/** A node that may trace a block later has not done it now. */
export class TracesUnavailableError extends Error {
  constructor(block: Hash, options?: ErrorOptions) {
    super(`block ${block} is not traced now`, options);
    this.name = 'TracesUnavailableError';
  }
}
