import type { Hash } from 'viem';

/** Nodes that may trace did not answer. */
export class TracesUnavailableError extends Error {
  constructor(block: Hash, options?: ErrorOptions) {
    super(`no node has traced the block ${block} now`, options);
    this.name = 'TracesUnavailableError';
  }
}
