import type { Aggregator } from './aggregator.js';

/** Configured access to an aggregator's API. */
export interface AggregatorConnection {
  /** Name of the venue, in quotes and switches. */
  name: string;
  baseUrl: string;
  apiKey?: string | undefined;
  /** Time limit of one question. */
  timeoutMs: number;
}

/** Adapter of one aggregator. */
export interface AggregatorAdapter {
  /** Whether the API answers nothing without a key. */
  needsKey: boolean;
  create(connection: AggregatorConnection): Aggregator;
}

/** Calls of one aggregator in flight; more are refused, so that a slow one holds up nothing else. */
export const MAX_CONCURRENT = 32;
