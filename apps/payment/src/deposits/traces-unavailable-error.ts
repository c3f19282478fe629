import type { Hash } from 'viem';

/** Nodes that may trace did not answer. */
export class TracesUnavailableError extends Error {
  /** False where another block's failure kept them from being asked. */
  readonly wasTried: boolean;

  constructor(block: Hash, { wasTried = true, ...options }: ErrorOptions & { wasTried?: boolean }) {
    super(`no node has traced the block ${block} now`, options);
    this.name = 'TracesUnavailableError';
    this.wasTried = wasTried;
  }
}
