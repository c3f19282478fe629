import { integer, milliseconds } from '@bascule/process';
import type { Parsed } from '@bascule/process';
import type { ExecutionPatience } from './patience.js';

/** Spread into the service's table of variables. */
export const executionEnv = {
  EXECUTION_PATIENCE_MS: integer({
    min: 0,
    default: 30_000,
    desc: 'how long a leg that cannot meet its minimum is tried before the payment fails',
  }),
  EXECUTION_RETRY_MS: milliseconds({
    min: 0,
    default: 2_000,
    desc: 'time between two tries of a leg',
  }),
  EXECUTION_MAX_TRANSACTIONS: integer({
    min: 1,
    default: 5,
    desc: 'transactions that may revert before the payment fails',
  }),
};

export const executionPatience = (env: Parsed<typeof executionEnv>): ExecutionPatience => ({
  patienceMs: env.EXECUTION_PATIENCE_MS,
  retryMs: env.EXECUTION_RETRY_MS,
  maxTransactions: env.EXECUTION_MAX_TRANSACTIONS,
});

export const EXECUTION_PATIENCE = Symbol('EXECUTION_PATIENCE');
export const VENUES = Symbol('VENUES');
/** `ReadonlyMap<string, Bridge>`, by name. */
export const BRIDGES = Symbol('BRIDGES');
